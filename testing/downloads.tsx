import { vi } from 'vitest';

/** Replaces the browser's downloads until the test ends, and returns the names of files as they are saved. */
export function watchDownloads(): string[] {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:saved');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined);
  return saved;
}
