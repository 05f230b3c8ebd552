// SPDX-License-Identifier: Apache-2.0
// What may go wrong, by who has to act. measure() turns the first five into the status of a record, the command
// line the last two into an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace warpmark {

/// The case at hand cannot go on; its record is `failed`.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The case does not fit this machine today (memory, time); its record is `skipped`.
struct Skipped : Error {
  using Error::Error;
};

/// The device, library or type cannot do it at all; its record is `unsupported`.
struct Unsupported : Error {
  using Error::Error;
};

/// The device is lost to this process: every later call on it would fail too. The record is `failed`, and what is left
/// to measure needs a new process.
struct DeviceLost : Error {
  using Error::Error;
};

/// The system forbids it; its record is `denied`.
struct PermissionDenied : Error {
  using Error::Error;
};

/// The person or the file system has to act first: bad option, bad file, full disk. Ends the command with exit 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// No device can be used, or not the one that this needs. Ends the command with exit 3.
struct DeviceError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace warpmark
