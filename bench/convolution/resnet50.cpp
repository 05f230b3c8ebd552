// SPDX-License-Identifier: Apache-2.0
// The distinct convolution layers of ResNet-50 (version 1.5, whose 3x3 layers have the strides) for images of 224 x
// 224, forward and both gradients.
#include <array>
#include <stdexcept>
#include <string_view>

#include "bench/convolution/layer.h"

namespace warpmark {
namespace {

using ops::ConvolutionPass;
using ops::ConvolutionShape;

/// Square images and filters; padding keeps the size but for the stride.
struct Layer {
  std::string_view name{};  // <stage>_<filter>, the stride where it is not 1, channels in and out where several differ
  std::size_t c = 0;
  std::size_t size = 0;  // rows and columns of x
  std::size_t k = 0;
  std::size_t filter = 1;
  std::size_t stride = 1;
};

constexpr std::array<Layer, 23> layers{{
    {.name = "conv1_7x7", .c = 3, .size = 224, .k = 64, .filter = 7, .stride = 2},
    {.name = "res2_1x1_64_64", .c = 64, .size = 56, .k = 64},
    {.name = "res2_3x3", .c = 64, .size = 56, .k = 64, .filter = 3},
    {.name = "res2_1x1_64_256", .c = 64, .size = 56, .k = 256},
    {.name = "res2_1x1_256_64", .c = 256, .size = 56, .k = 64},
    {.name = "res3_1x1_256_128", .c = 256, .size = 56, .k = 128},
    {.name = "res3_3x3_s2", .c = 128, .size = 56, .k = 128, .filter = 3, .stride = 2},
    {.name = "res3_1x1_s2_256_512", .c = 256, .size = 56, .k = 512, .stride = 2},
    {.name = "res3_1x1_128_512", .c = 128, .size = 28, .k = 512},
    {.name = "res3_1x1_512_128", .c = 512, .size = 28, .k = 128},
    {.name = "res3_3x3", .c = 128, .size = 28, .k = 128, .filter = 3},
    {.name = "res4_1x1_512_256", .c = 512, .size = 28, .k = 256},
    {.name = "res4_3x3_s2", .c = 256, .size = 28, .k = 256, .filter = 3, .stride = 2},
    {.name = "res4_1x1_s2_512_1024", .c = 512, .size = 28, .k = 1024, .stride = 2},
    {.name = "res4_1x1_256_1024", .c = 256, .size = 14, .k = 1024},
    {.name = "res4_1x1_1024_256", .c = 1024, .size = 14, .k = 256},
    {.name = "res4_3x3", .c = 256, .size = 14, .k = 256, .filter = 3},
    {.name = "res5_1x1_1024_512", .c = 1024, .size = 14, .k = 512},
    {.name = "res5_3x3_s2", .c = 512, .size = 14, .k = 512, .filter = 3, .stride = 2},
    {.name = "res5_1x1_s2_1024_2048", .c = 1024, .size = 14, .k = 2048, .stride = 2},
    {.name = "res5_1x1_512_2048", .c = 512, .size = 7, .k = 2048},
    {.name = "res5_1x1_2048_512", .c = 2048, .size = 7, .k = 512},
    {.name = "res5_3x3", .c = 512, .size = 7, .k = 512, .filter = 3},
}};

std::vector<AxisValue> layer_names() {
  std::vector<AxisValue> names;
  for (const Layer& layer : layers) names.emplace_back(std::string(layer.name));
  return names;
}

const Layer& layer_named(std::string_view name) {
  for (const Layer& layer : layers)
    if (layer.name == name) return layer;
  throw std::out_of_range("no layer " + std::string(name));
}

ConvolutionPass pass_of(const Case& at) {
  const auto& name = std::get<std::string>(at["pass"]);
  if (name == "fprop") return ConvolutionPass::forward;
  if (name == "dgrad") return ConvolutionPass::data_gradient;
  if (name == "wgrad") return ConvolutionPass::filter_gradient;
  throw std::out_of_range("no pass " + name);
}

ConvolutionShape shape_of(const Case& at) {
  const Layer& layer = layer_named(std::get<std::string>(at["layer"]));
  return {.n = static_cast<std::size_t>(at.integer("batch")),
          .c = layer.c,
          .h = layer.size,
          .w = layer.size,
          .k = layer.k,
          .r = layer.filter,
          .s = layer.filter,
          .stride = layer.stride,
          .padding = layer.filter / 2};
}

const Registered resnet50{
    {.name = "convolution/resnet50",
     .about = "a convolution layer of ResNet-50, forward (fprop), gradient of its input (dgrad) or of its filters "
              "(wgrad), channels last; FLOP of a direct convolution",
     .axes = {{.name = "layer", .values = layer_names()},
              {.name = "pass", .values = {"fprop", "dgrad", "wgrad"}},
              {.name = "batch", .values = {8}}},
     .modes = {Mode::isolated, Mode::batch},
     .kernels = table_of<ops::Convolution>(),
     .rate = flop_rate,
     .probed = true,
     .work = [](const Case& at,
                const DeviceInfo&) { return convolution_work(pass_of(at), shape_of(at), at.kernel.dtype); },
     .ceiling = convolution_ceiling,
     .job = [](Setup& setup) { return convolution_job(setup, pass_of(setup.at()), shape_of(setup.at())); }}};

}  // namespace
}  // namespace warpmark
