// SPDX-License-Identifier: Apache-2.0
#include "harness/backends/cuda/cuda_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <memory>
#include <string>

#include "embedded/stream_kernels_code.h"
#include "harness/backends/cuda/cuda_device.h"
#include "harness/backends/cuda/driver.h"
#include "harness/backends/cuda/stream_kernels.h"
#include "harness/core/error.h"

namespace warpmark::cuda {
namespace {

constexpr std::uint64_t hold_timeout_ns = 2'000'000'000;
constexpr std::uint64_t clock_ns = 200'000;
/// The queue of a stream takes about a thousand launches and then keeps the caller, who would never let go of it.
constexpr int most_held_launches = 500;

const DeviceCode& code() {
  static const DeviceCode own(embedded::stream_kernels_code());
  return own;
}

CUdeviceptr address_of(const void* pointer) { return reinterpret_cast<CUdeviceptr>(pointer); }

/// Pinned host memory that kernels may follow.
template <class T>
class HostShared {
 public:
  HostShared() {
    void* data = nullptr;
    check(driver().MemHostAlloc(&data, sizeof(T), CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc", "what the host and a kernel share");
    host_.reset(new (data) T{});
    CUdeviceptr device = 0;
    check(driver().MemHostGetDevicePointer(&device, data, 0), "cuMemHostGetDevicePointer");
    device_ = std::bit_cast<T*>(device);
  }
  [[nodiscard]] T& host() { return *host_; }
  [[nodiscard]] T* device() { return device_; }

 private:
  struct Release {
    void operator()(T* data) const { (void)driver().MemFreeHost(data); }
  };
  std::unique_ptr<T, Release> host_{};  // given back also when the constructor does not come to its end
  T* device_ = nullptr;
};

struct Shared {
  std::uint32_t release = 0;
  std::uint32_t timed_out = 0;
  ClockReading clock{};
};

void write(std::uint32_t& to, std::uint32_t value) { std::atomic_ref(to).store(value, std::memory_order_release); }
std::uint32_t read(std::uint32_t& from) { return std::atomic_ref(from).load(std::memory_order_acquire); }

class Event {
 public:
  Event() { check(driver().EventCreate(&event_, CU_EVENT_DEFAULT), "cuEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { (void)driver().EventDestroy(event_); }
  void record(CUstream stream) const { check(driver().EventRecord(event_, stream), "cuEventRecord"); }
  [[nodiscard]] double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(driver().EventElapsedTime(&milliseconds, start.event_, event_), "cuEventElapsedTime");
    return static_cast<double>(milliseconds) / 1e3;
  }

 private:
  CUevent event_ = nullptr;
};

}  // namespace

/// Made at the first timing, so that a stream that only copies loads no code.
struct CudaStream::Timing {
  explicit Timing(const CudaDevice& device)
      : hold(code().kernel(device, "stream_hold")), clock(code().kernel(device, "stream_clock")) {}

  LoadedKernel hold;
  LoadedKernel clock;
  HostShared<Shared> shared{};
  Event start{};
  Event stop{};
  bool may_hold = true;
  bool holding = false;
  int held_launches = 0;
};

CudaStream::CudaStream(CudaDevice& device) : device_(device) {
  device_.make_current();
  check(driver().StreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
}

CudaStream::~CudaStream() {
  timing_.reset();
  (void)driver().StreamDestroy(stream_);
}

Device& CudaStream::device() { return device_; }

CudaStream::Timing& CudaStream::timing() {
  if (!timing_) timing_ = std::make_unique<Timing>(device_);
  return *timing_;
}

void CudaStream::copy_in(void* device_to, const void* host_from, std::size_t bytes) {
  check(driver().MemcpyHtoDAsync(address_of(device_to), host_from, bytes, stream_), "cuMemcpyHtoDAsync");
  wait();
}

void CudaStream::copy_out(void* host_to, const void* device_from, std::size_t bytes) {
  check(driver().MemcpyDtoHAsync(host_to, address_of(device_from), bytes, stream_), "cuMemcpyDtoHAsync");
  wait();
}

void CudaStream::start_copy_in(void* device_to, const void* pinned_from, std::size_t bytes) {
  check(driver().MemcpyHtoDAsync(address_of(device_to), pinned_from, bytes, stream_), "cuMemcpyHtoDAsync");
  count_launches(1);
}

void CudaStream::start_copy_out(void* pinned_to, const void* device_from, std::size_t bytes) {
  check(driver().MemcpyDtoHAsync(pinned_to, address_of(device_from), bytes, stream_), "cuMemcpyDtoHAsync");
  count_launches(1);
}

void CudaStream::fill_random(void* device_to, std::size_t n, DType dtype, std::uint64_t seed) {
  if (n == 0) return;
  const DType as = dtype == DType::u8 ? DType::i8 : dtype;  // a byte of an integer that may be any
  const LoadedKernel kernel = code().kernel(device_, fmt::format("stream_fill_{}", name_of(as)).c_str());
  launch(kernel, striding_grid(n), FillParameters{.to = device_to, .n = n, .seed = seed});
}

void CudaStream::fill_cycle(void* device_to, std::size_t nodes, std::size_t stride_bytes, std::uint64_t seed) {
  launch(code().kernel(device_, "stream_fill_cycle"), striding_grid(nodes),
         CycleParameters{.to = device_to, .nodes = nodes, .stride_bytes = stride_bytes, .seed = seed});
}

Grid CudaStream::striding_grid(std::size_t n) const {
  constexpr unsigned threads = 256;
  const auto blocks = static_cast<unsigned>(
      std::min<std::size_t>((n + threads - 1) / threads, static_cast<std::size_t>(device_.chip().sms) * 32));
  return {.blocks = std::max(blocks, 1U), .threads = threads};
}

void CudaStream::poison(void* device_to, std::size_t bytes) {
  check(driver().MemsetD8Async(address_of(device_to), 0xff, bytes, stream_), "cuMemsetD8Async");
}

double CudaStream::time(const std::function<void(Stream&)>& submit) {
  Timing& t = timing();
  const double seconds = time_once(t, submit);
  if (read(t.shared.host().timed_out) == 0) return seconds;
  // What was queued waited for the release itself, so the time is that of a deadlock: once more, and not held again.
  t.may_hold = false;
  write(t.shared.host().timed_out, 0);
  return time_once(t, submit);
}

double CudaStream::time_once(Timing& t, const std::function<void(Stream&)>& submit) {
  // Whatever happens in between, the stream is let go.
  const struct Release {
    Timing& timing;
    ~Release() {
      timing.holding = false;
      write(timing.shared.host().release, 1);
    }
  } release{t};
  if (t.may_hold) {
    write(t.shared.host().release, 0);
    launch(t.hold, {},
           HoldParameters{.release = &t.shared.device()->release,
                          .timed_out = &t.shared.device()->timed_out,
                          .timeout_ns = hold_timeout_ns});
    t.held_launches = 0;
    t.holding = true;
  }
  t.start.record(stream_);
  submit(*this);
  t.stop.record(stream_);
  t.holding = false;
  write(t.shared.host().release, 1);
  wait();
  return t.stop.seconds_since(t.start);
}

void CudaStream::wait() { check(driver().StreamSynchronize(stream_), "cuStreamSynchronize", device_.info().id); }

void CudaStream::count_launches(int count) {
  if (!timing_ || !timing_->holding) return;
  timing_->held_launches += count;
  if (timing_->held_launches < most_held_launches) return;
  timing_->holding = false;
  write(timing_->shared.host().release, 1);
}

double CudaStream::clock_hz() {
  Timing& t = timing();
  launch(t.clock, {}, ClockParameters{.reading = &t.shared.device()->clock, .least_ns = clock_ns});
  wait();
  const ClockReading& reading = t.shared.host().clock;
  if (reading.nanoseconds == 0) throw Error("the device's timer did not move while its clock was read");
  return static_cast<double>(reading.clocks) / static_cast<double>(reading.nanoseconds) * 1e9;
}

void CudaStream::launch_raw(const LoadedKernel& kernel, const Grid& grid, void** parameters) {
  // A CUkernel may stand where a CUfunction is asked for; it runs in the stream's context.
  check(driver().LaunchKernel(reinterpret_cast<CUfunction>(kernel.handle), grid.blocks, grid.blocks_y, grid.blocks_z,
                              grid.threads, 1, 1, 0, stream_, parameters, nullptr),
        "cuLaunchKernel");
  count_launches(1);
}

CudaStream& cuda_stream(Stream& stream) { return static_cast<CudaStream&>(stream); }

}  // namespace warpmark::cuda
