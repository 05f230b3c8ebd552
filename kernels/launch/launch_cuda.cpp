// SPDX-License-Identifier: Apache-2.0
// The ways to launch an empty kernel on a GPU, each timed for itself. Only back_to_back is timed by the device; where
// the host waits, nothing holds the stream.
#include <chrono>
#include <memory>
#include <thread>

#include "kernels/launch/empty_launch_cuda.h"
#include "kernels/launch/stopwatch.h"

namespace warpmark::cuda {
namespace {

/// Fewer than a held stream takes, so that all of them are queued before the first one runs.
constexpr int launches_behind_hold = 400;

using Launch = std::shared_ptr<EmptyLaunch>;

/// `seconds` times one launch.
template <class Seconds>
Bound bound(Stream& stream, const ops::Empty& op, const char* method, const Seconds& seconds) {
  const auto launch = std::make_shared<EmptyLaunch>(stream, op);
  nlohmann::json about = launch->about();
  about["method"] = method;
  return {.launch = [launch](Stream& s) { launch->tell(cuda_stream(s)); },
          .about = std::move(about),
          .clocking = Clocking::own,
          .sample =
              [launch, seconds](Stream& s) {
                CudaStream& on = cuda_stream(s);
                if (launch->is_time_to_tell()) {
                  launch->tell(on);
                  on.wait();
                }
                return seconds(*launch, on);
              }};
}

double round_trip_seconds(EmptyLaunch& launch, CudaStream& on) {
  return seconds_of([&] {
    launch.submit(on);
    on.wait();
  });
}

Bound bind_submit(Stream& stream, const ops::Submit& op) {
  return bound(stream, op.empty, "the host's clock around each call, into a queue of at most 256",
               [](EmptyLaunch& launch, CudaStream& on) { return seconds_of([&] { launch.submit(on); }); });
}

Bound bind_back_to_back(Stream& stream, const ops::BackToBack& op) {
  Bound made =
      bound(stream, op.empty, "events around launches that are all queued", [](EmptyLaunch& launch, CudaStream& on) {
        const auto submit_all = [&launch](Stream& s) {
          for (int i = 0; i < launches_behind_hold; ++i) launch.submit(cuda_stream(s));
        };
        return on.time(submit_all) / launches_behind_hold;
      });
  made.about["launches"] = launches_behind_hold;
  return made;
}

Bound bind_round_trip(Stream& stream, const ops::RoundTrip& op) {
  return bound(stream, op.empty, "the host's clock around launching and waiting", round_trip_seconds);
}

Bound bind_after_idle(Stream& stream, const ops::AfterIdle& op) {
  const std::chrono::duration<double> idle(op.idle_seconds);
  return bound(stream, op.empty, "the host's clock around launching and waiting, after a sleep",
               [idle](EmptyLaunch& launch, CudaStream& on) {
                 std::this_thread::sleep_for(idle);
                 return round_trip_seconds(launch, on);
               });
}

std::string unsupported(const Device&, const Case& at) { return no_empty_launch(at); }

const Implements<ops::Submit> submit{
    {.id = {"cuda", "empty", DType::u8}, .bind = bind_submit, .unsupported = unsupported}};
const Implements<ops::BackToBack> back_to_back{
    {.id = {"cuda", "empty", DType::u8}, .bind = bind_back_to_back, .unsupported = unsupported}};
const Implements<ops::RoundTrip> round_trip{
    {.id = {"cuda", "empty", DType::u8}, .bind = bind_round_trip, .unsupported = unsupported}};
const Implements<ops::AfterIdle> after_idle{{.id = {"cuda", "empty", DType::u8}, .bind = bind_after_idle}};

}  // namespace
}  // namespace warpmark::cuda
