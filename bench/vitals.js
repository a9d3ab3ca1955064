// Runs in the page before its own scripts and records what a visitor would notice.
/* global PerformanceObserver, performance, window */
const seen = { lcp: 0, lcpElement: '', fcp: 0, shifts: [], interactions: new Map(), longest: '' };

const observe = (type, take, more = {}) =>
  new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });

observe('paint', ({ name, startTime }) => {
  if (name === 'first-contentful-paint') seen.fcp = startTime;
});
observe('largest-contentful-paint', ({ startTime, element }) => {
  seen.lcp = startTime;
  seen.lcpElement = `${element?.tagName ?? ''} ${element?.textContent?.slice(0, 40) ?? ''}`;
});
// Adds up all shifts of the visit, which is stricter than the usual definition (the worst five seconds).
observe('layout-shift', ({ value, hadRecentInput }) => {
  if (!hadRecentInput) seen.shifts.push(value);
});
observe(
  'event',
  ({ interactionId, duration }) => {
    if (interactionId) {
      seen.interactions.set(interactionId, Math.max(duration, seen.interactions.get(interactionId) ?? 0));
    }
  },
  { durationThreshold: 16 },
);

window.vitals = () => {
  const slowest = [...seen.interactions.values()].sort((a, b) => b - a);
  const all = performance.interactionCount ?? slowest.length;
  return {
    fcp: seen.fcp,
    lcp: seen.lcp,
    lcpElement: seen.lcpElement,
    cls: seen.shifts.reduce((sum, value) => sum + value, 0),
    // The slowest interaction; one in fifty is ignored, as in the standard INP metric.
    inp: slowest[Math.min(slowest.length - 1, Math.floor(all / 50))] ?? 0,
    slowest: slowest[0] ?? 0,
    interactions: all,
  };
};
