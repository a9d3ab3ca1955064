import type { Plugin } from 'vite';
import { keyOf } from '../src/kit/contract/text-key.ts';
import { readCatalogue } from '../src/kit/server/language/catalogue.ts';

/** Loads a catalogue of the texts of contracts, `…/gu.po?texts`: patterns by their keys, without the English words. */
export function textCatalogues(): Plugin {
  return {
    name: 'text-catalogues',
    enforce: 'pre',
    load: {
      filter: { id: /\.po\?texts$/ },
      handler(id) {
        const file = id.slice(0, -'?texts'.length);
        this.addWatchFile(file);
        const entries = readCatalogue(file).filter(({ translation }) => translation !== '');
        const texts = Object.fromEntries(entries.map((entry) => [keyOf(entry.id), entry.translation]));
        return { code: `export const texts = ${JSON.stringify(texts)};`, moduleType: 'js' };
      },
    },
  };
}
