/**
 * Ends the process with the status of a command: at once if it failed, because requests that it sent at the same time
 * may be retried for many seconds. What was printed is written first.
 *
 * @param {number} status
 */
exports.endProcess = async status => {
  process.exitCode = status
  // As while the command ran: a reader that is gone does not change what was done.
  process.stderr.on('error', () => undefined)
  if (status === 0) return
  await Promise.all([written(process.stdout), written(process.stderr)])
  process.exit()
}

/** @param {NodeJS.WriteStream} stream */
async function written(stream) {
  // A reader that closed its pipe.
  stream.on('error', () => undefined)
  await new Promise(resolve => stream.write('', resolve))
}
