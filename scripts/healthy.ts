// Ends with 0 when the server of this machine is ready, for the health check of a container: an image needs no curl for it.
const port = process.env.PORT || '3000';
const isReady = await fetch(`http://localhost:${port}/readyz`, { signal: AbortSignal.timeout(5000) }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isReady ? 0 : 1);
