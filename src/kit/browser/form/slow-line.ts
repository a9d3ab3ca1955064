const largeForSlowLine = 800_000;

interface Line {
  effectiveType?: string;
  saveData?: boolean;
}

/**
 * Whether a picture within the limits would still take long: over 800 kB on a connection that reports itself as slow.
 */
export function isSlowToSend({ size }: File): boolean {
  const { connection } = navigator as { connection?: Line };
  const isSlow = connection?.saveData === true || ['slow-2g', '2g', '3g'].includes(connection?.effectiveType ?? '');
  return isSlow && size > largeForSlowLine;
}
