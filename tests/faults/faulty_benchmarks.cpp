// SPDX-License-Identifier: Apache-2.0
// Benchmarks that go wrong, one way each, for warpmark_faulty: the product itself with these beside its own. Every
// sample claims its time instead of taking it, so that measuring ends as soon as the protocol lets it.
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <string>
#include <thread>

#include "harness/core/benchmark.h"
#include "harness/core/error.h"
#include "harness/device/device.h"
#include "harness/measure/setup.h"
#include "harness/run/process.h"

namespace warpmark {
namespace {

struct Nothing {};  // the operation of these benchmarks

const Implements<Nothing> nothing{
    {.id = {"cpu", "plain", DType::f64}, .bind = [](Stream&, const Nothing&) { return Bound{}; }}};

constexpr double claimed_seconds = 1e-3;
constexpr int first_strike = 3;  // the sample: by then it is in the middle of the case
constexpr Verdict right{.error = 0, .allowed = 1};
constexpr Verdict wrong{.error = 3, .allowed = 2};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void nap(int milliseconds) { std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds)); }

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

void write_all(int descriptor, const std::string& text) { (void)!write(descriptor, text.data(), text.size()); }

/// One line per measurement that begins, in the file that FAULT_LOG names: a test counts what really ran.
void note(const char* name, const Case& at) {
  const char* const path = std::getenv("FAULT_LOG");
  if (path == nullptr) return;
  std::string line = name;
  for (const auto& [axis, value] : at.at) line += "/" + axis + "=" + text_of(value);
  const int log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  write_all(log, line + "\n");
  (void)close(log);
}

/// What a benchmark does at its third sample and at each one after, returning the seconds to claim; and its check of
/// the result, `when` being 0 before the samples and 1 after.
struct Fault {
  const char* name;
  const char* about;
  double (*strike)(const Case& at, bool first);
  Verdict (*verdict)(int when) = [](int) { return right; };
  bool quiet = false;
};

template <const Fault& fault>
Job job_of(Setup& setup) {
  note(fault.name, setup.at());
  const auto sample = [at = setup.at(), n = 0](Stream&) mutable {
    return ++n >= first_strike ? fault.strike(at, n == first_strike) : claimed_seconds;
  };
  const auto verify = [when = 0](Verifier&) mutable { return fault.verdict(when++); };
  return {.turns = {Turn{.launch = [](Stream&) {}, .verify = verify, .sample = sample}}, .clocking = Clocking::own};
}

template <const Fault& fault, Job (*job)(Setup&) = job_of<fault>>
Benchmark benchmark_of(const std::vector<Axis>& axes = {}) {
  return {.name = fault.name,
          .about = fault.about,
          .axes = axes,
          .kernels = table_of<Nothing>(),
          .rate = bandwidth,
          .quiet = fault.quiet,
          .work = [](const Case&, const DeviceInfo&) { return Work{.bytes_read = 1e6}; },
          .ceiling = [](const Case&, const DeviceInfo&) { return CeilingRule{.why_none = "it does nothing"}; },
          .job = job};
}

double claim(const Case& /*at*/, bool /*first*/) { return claimed_seconds; }

double sleep_once(const Case& at, bool first) {
  if (first) nap(static_cast<int>(at.integer("ms")));
  return claimed_seconds;
}

// Sanitizers turn a signal into an exit of their own unless the system has it.
double die_of(int signal) {
  (void)std::signal(signal, SIG_DFL);
  (void)raise(signal);
  return claimed_seconds;
}

constexpr Fault ok{"fault/ok", "Goes well", claim};
constexpr Fault slow{"fault/slow", "Takes its time", sleep_once};
constexpr Fault quiet{"fault/quiet", "Takes its time, undisturbed", sleep_once, [](int) { return right; }, true};

// The worker dies or hangs.
constexpr Fault segv{"fault/sigsegv", "Dies of SIGSEGV", [](const Case&, bool) { return die_of(SIGSEGV); }};
constexpr Fault abortion{"fault/abort", "Aborts", [](const Case&, bool) { return die_of(SIGABRT); }};
constexpr Fault leaves{"fault/exit", "Ends the process as if all were well",
                       [](const Case&, bool) -> double { _exit(0); }};
constexpr Fault throws_odd{"fault/throws_odd", "Throws what is no exception",
                           [](const Case&, bool) -> double { throw 42; }};
constexpr Fault hangs{"fault/hang", "Hangs", [](const Case&, bool) -> double { sleep_for_ever(); }};
constexpr Fault stubborn{"fault/stubborn", "Hangs, whatever it is asked", [](const Case&, bool) -> double {
                           for (const int signal : {SIGTERM, SIGINT, SIGHUP}) (void)std::signal(signal, SIG_IGN);
                           sleep_for_ever();
                         }};
constexpr Fault orphans{"fault/orphan", "Dies, and leaves a process that holds what it held", [](const Case&, bool) {
                          if (fork() == 0) alarm(120), sleep_for_ever();
                          return die_of(SIGKILL);
                        }};
constexpr Fault hangs_late{"fault/hang_at_exit", "Goes well, and hangs when the worker leaves",
                           [](const Case&, bool first) {
                             if (first) (void)std::atexit([] { sleep_for_ever(); });
                             return claimed_seconds;
                           }};
constexpr Fault leaves_late{"fault/exit_later", "Goes well, slowly, and ends the process soon after",
                            [](const Case&, bool first) {
                              if (first) std::thread([] { nap(400), _exit(0); }).detach();
                              if (first) nap(200);
                              return claimed_seconds;
                            }};

// The worker goes on.
constexpr Fault throws{"fault/throws", "Throws, with a message full of controls",
                       [](const Case&, bool) -> double { throw Error("it\nsays \x1b[31m\xff<b>\"}"); }};
constexpr Fault noisy{"fault/noisy", "Prints what looks like messages, and bytes, to both streams",
                      [](const Case&, bool) {
                        for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
                          write_all(stream, "{\"begin\":\"x\"}\n{\"record\":{}}\n\xff\xfe\x1b[2J no line end");
                        return claimed_seconds;
                      }};
constexpr Fault babbles{"fault/babble", "Writes what is no message to the supervisor's own pipe",
                        [](const Case&, bool) {
                          write_all(lines_descriptor, "no message\n");
                          return claimed_seconds;
                        }};
constexpr Fault closes{"fault/close", "Closes a descriptor that it does not own",
                       [](const Case&, bool) { return (void)close(lines_descriptor), claimed_seconds; }};
constexpr Fault wrong_result{"fault/wrong", "Computes a wrong result", claim, [](int) { return wrong; }};
constexpr Fault wrong_later{"fault/wrong_later", "Computes a wrong result once warm", claim,
                            [](int when) { return when == 0 ? right : wrong; }};
constexpr Fault nan_result{"fault/nan", "Computes NaN", claim, [](int) { return Verdict{.error = nan, .allowed = 1}; }};
constexpr Fault nan_time{"fault/nan_time", "Takes a time that is none", [](const Case&, bool) { return nan; }};
constexpr Fault no_time{"fault/no_time", "Takes no time at all", [](const Case&, bool) { return 0.0; }};
constexpr Fault unsettled{"fault/unsettled", "Takes longer at every sample", [](const Case&, bool first) {
                            static double seconds = claimed_seconds;
                            return seconds = first ? claimed_seconds : 2 * seconds;
                          }};
constexpr Fault huge{"fault/huge", "Needs more memory than the machine has", claim};
constexpr Fault skipped{"fault/skipped", "Does not fit", claim};
constexpr Fault unsupported{"fault/unsupported", "Cannot be done", claim};
constexpr Fault denied{"fault/denied", "Is forbidden", claim};

Job huge_job(Setup& setup) {
  const auto bytes = static_cast<std::size_t>(setup.device().info().memory_bytes);
  (void)setup.poisoned(4 * bytes / sizeof(double));
  return job_of<huge>(setup);
}

template <class Reason>
Job refused(Setup& /*setup*/) {
  throw Reason("as it was asked to");
}

std::vector<Axis> axis(std::string name, std::vector<AxisValue> values) {
  return {{std::move(name), std::move(values)}};
}

const std::array entered{Registered{benchmark_of<ok>(axis("n", {1, 2, 3}))},
                         Registered{benchmark_of<slow>(axis("ms", {100}))},
                         Registered{benchmark_of<quiet>(axis("ms", {100}))},
                         Registered{benchmark_of<segv>()},
                         Registered{benchmark_of<abortion>()},
                         Registered{benchmark_of<leaves>()},
                         Registered{benchmark_of<throws_odd>()},
                         Registered{benchmark_of<hangs>()},
                         Registered{benchmark_of<stubborn>()},
                         Registered{benchmark_of<orphans>()},
                         Registered{benchmark_of<hangs_late>()},
                         Registered{benchmark_of<leaves_late>()},
                         Registered{benchmark_of<throws>()},
                         Registered{benchmark_of<noisy>()},
                         Registered{benchmark_of<babbles>()},
                         Registered{benchmark_of<closes>()},
                         Registered{benchmark_of<wrong_result>()},
                         Registered{benchmark_of<wrong_later>()},
                         Registered{benchmark_of<nan_result>()},
                         Registered{benchmark_of<nan_time>()},
                         Registered{benchmark_of<no_time>()},
                         Registered{benchmark_of<unsettled>()},
                         Registered{benchmark_of<huge, huge_job>()},
                         Registered{benchmark_of<skipped, refused<Skipped>>()},
                         Registered{benchmark_of<unsupported, refused<Unsupported>>()},
                         Registered{benchmark_of<denied, refused<PermissionDenied>>()}};

}  // namespace
}  // namespace warpmark
