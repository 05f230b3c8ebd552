// SPDX-License-Identifier: Apache-2.0
// The child's side of the two pipes: orders and acknowledgements come in on standard input, JSON lines go out on
// descriptor 3.
#pragma once

#include <nlohmann/json.hpp>
#include <semaphore>
#include <string>
#include <thread>

namespace warpmark {

/// Writes one JSON line to the supervisor. A supervisor that is gone ends this process: nobody would keep what it
/// measures.
void send_line(const nlohmann::json& line);

/// Reads standard input up to the first line feed, which is the order. Throws Error when there is none.
/// From then on the end of the supervisor ends this process too.
[[nodiscard]] std::string read_order();

/// The next line of standard input, without its line feed; false at the end.
[[nodiscard]] bool read_line(std::string& line);

/// Watches standard input: every line feed acknowledges one record; its end means that the supervisor is gone, and ends
/// this process at once, also in the middle of a case.
class Acknowledgements {
 public:
  Acknowledgements();
  ~Acknowledgements();
  Acknowledgements(const Acknowledgements&) = delete;
  Acknowledgements& operator=(const Acknowledgements&) = delete;
  void wait() { received_.acquire(); }

 private:
  std::counting_semaphore<> received_{0};
  std::thread watcher_{};
};

}  // namespace warpmark
