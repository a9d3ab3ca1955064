/**
 * Stops in good order on SIGINT, SIGTERM, or when the parent process ends; a second signal ends the process
 * immediately. Exits with `process.exitCode` or 0 after `stop`, with 1 when it fails.
 */
export function stopOnSignal(stop: () => Promise<void>) {
  let isStopping = false;
  const end = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    try {
      await stop();
      process.exit(process.exitCode ?? 0);
    } catch (error) {
      process.stderr.write(`Stopping did not go well: ${(error as Error).message}\n`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

  // The parent was killed: without it nobody would stop this process.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !isStopping) void end();
  }, 300).unref();
}
