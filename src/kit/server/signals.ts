/**
 * Stops in good order on SIGINT, SIGTERM, or when the process that started us is gone; a second signal ends at once.
 * Exits 0 once `stop` is done, 1 when that fails.
 */
export function stopOnSignal(stop: () => Promise<void>) {
  let isStopping = false;
  const end = async () => {
    if (isStopping) process.exit(1);
    isStopping = true;
    try {
      await stop();
      process.exit(0);
    } catch (error) {
      process.stderr.write(`Stopping did not go well: ${(error as Error).message}\n`);
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end());

  // The starter was killed: without it nobody would ever stop us.
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent && !isStopping) void end();
  }, 300).unref();
}
