import { readFileSync } from 'node:fs';

/** A translated text of a catalogue, as gettext stores it. */
export interface Entry {
  id: string;
  context: string;
  translation: string;
  /** Comments for translators. */
  comments: readonly string[];
}

/** The entries of a catalogue, without its head. Lingui writes these files; each string is quoted as in JSON. */
export function readCatalogue(file: string): Entry[] {
  const blocks = readFileSync(file, 'utf8')
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/);
  return blocks.flatMap((block) => {
    const found: Record<string, string> = { msgctxt: '', msgid: '', msgstr: '' };
    const comments: string[] = [];
    let name = '';
    for (const line of block.split('\n')) {
      if (line.startsWith('#.') || line.startsWith('# ')) comments.push(line.slice(2).trim());
      // Entries that are no longer used.
      if (line.startsWith('#')) continue;
      const quote = line.indexOf('"');
      if (quote < 0) continue;
      name = quote > 0 ? line.slice(0, quote).trim() : name;
      found[name] = `${found[name] ?? ''}${JSON.parse(line.slice(quote))}`;
    }
    const { msgctxt: context = '', msgid: id = '', msgstr: translation = '' } = found;
    return id ? [{ id, context, translation, comments }] : [];
  });
}
