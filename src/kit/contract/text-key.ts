/**
 * The key of a text in catalogues of other languages: its English words would travel with each translation. FNV-1a, in at
 * most seven letters and digits.
 */
export function keyOf(id: string): string {
  let hash = 0x811c9dc5;
  for (let place = 0; place < id.length; place++) hash = Math.imul(hash ^ id.charCodeAt(place), 0x01000193);
  return (hash >>> 0).toString(36);
}
