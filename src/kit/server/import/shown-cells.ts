// A workbook as it is seen: without hidden sheets, with the zeros, letters and percentages that a format shows, and with
// its errors.

type Parts = Record<string, Uint8Array>;
type Show = (digits: string) => string;

const textOf = (part: Uint8Array | undefined) => Buffer.from(part ?? []).toString();
const marks: Record<string, string> = { quot: '"', amp: '&', lt: '<', gt: '>', apos: "'" };
const decoded = (value: string) => value.replace(/&(quot|amp|lt|gt|apos);/g, (_, name: string) => marks[name] ?? '');
const encoded = (value: string) => value.replace(/[<>&]/g, (mark) => `&#${mark.charCodeAt(0)};`);

/** The tags of this name, with or without a prefix. */
const tagsOf = (xml: string, name: string): string[] =>
  xml
    .split('<')
    .map((part) => part.slice(0, Math.max(0, part.indexOf('>'))))
    .filter((tag) => (tag.split(/[ /]/, 1)[0] ?? '').split(':').at(-1) === name);

/** The value of a tag's attribute; '' without it. */
function attribute(tag: string, name: string): string {
  const start = tag.indexOf(` ${name}="`);
  if (start < 0) return '';
  const from = start + name.length + 3;
  return decoded(tag.slice(from, tag.indexOf('"', from)));
}

/** The names of the sheets that a workbook hides. */
export const hiddenSheets = (parts: Parts): Set<string> =>
  new Set(
    tagsOf(textOf(parts['xl/workbook.xml']), 'sheet')
      .filter((tag) => ['hidden', 'veryHidden'].includes(attribute(tag, 'state')))
      .map((tag) => attribute(tag, 'name')),
  );

/** A share as a format such as `0.00%` shows it: 0.85 as 85%. */
const asPercent: Show = (digits) => `${Number((Number(digits) * 100).toPrecision(12))}%`;

/** The formats of a share that every workbook has: 0% and 0.00%. */
const percentFormats = ['9', '10'];

/** The place of a digit in a format. */
const zero = '\0';

/** How a format such as `"EMP"0000` shows a number; undefined for formats that are not of zeros and quoted words. */
function showOf(formats: string): Show | undefined {
  if (/^[0#.,]*0%$/.test(formats)) return asPercent;
  // A second format shows numbers below zero, a third one zero, a fourth one texts.
  const [format = '', , ofZero = format] = formats.split(';');
  const [show, showZero] = [ofOneFormat(format), ofOneFormat(ofZero)];
  return (show || showZero) && ((digits) => ((Number(digits) === 0 ? showZero : show) ?? String)(digits));
}

function ofOneFormat(format: string): Show | undefined {
  const parts: string[] = [];
  for (let at = 0; at < format.length; at++) {
    const mark = format[at] ?? '';
    if (mark === '"' || mark === '[') {
      const end = format.indexOf(mark === '"' ? '"' : ']', at + 1);
      if (end < 0) return undefined;
      const words = format.slice(at + 1, end);
      if (mark === '"') parts.push(words);
      // A language or a colour shows nothing; a condition or a currency is another kind of format.
      else if (!/^(\$-[\w-,]+|[a-z]+ ?\d*)$/i.test(words) || /^[hms]+$/i.test(words)) return undefined;
      at = end;
    } else if (mark === '\\') parts.push(format[++at] ?? '');
    // A gap as wide as the next character.
    else if (mark === '_') at++;
    else if (mark === '0') parts.push(zero);
    else if ('- /'.includes(mark)) parts.push(mark);
    else return undefined;
  }
  const first = parts.indexOf(zero);
  const zeros = parts.filter((part) => part === zero).length;
  if (zeros === 0 || parts.length === 1) return undefined;
  return (digits) => {
    const shown = [...digits.padStart(zeros, '0')];
    // What has more digits than zeros begins at the first one.
    const more = shown.splice(0, shown.length - zeros).join('');
    return parts.map((part, at) => (part !== zero ? part : `${at === first ? more : ''}${shown.shift()}`)).join('');
  };
}

/** The formats of a workbook that show zeros or letters, by the style of a cell. */
function shownFormats(styles: string): Map<string, Show> {
  const formats = new Map(
    tagsOf(styles, 'numFmt').map((tag) => [attribute(tag, 'numFmtId'), attribute(tag, 'formatCode')]),
  );
  const cells = styles.slice(styles.indexOf('cellXfs'), styles.lastIndexOf('cellXfs'));
  const shown = new Map<string, Show>();
  for (const [index, tag] of tagsOf(cells, 'xf').entries()) {
    const id = attribute(tag, 'numFmtId');
    const show = percentFormats.includes(id) ? asPercent : showOf(formats.get(id) ?? '');
    if (show) shown.set(String(index), show);
  }
  return shown;
}

const endOfCell = '</c>';
const endOfValue = '</v>';

/** A formula that no program has computed yet, in a file that another program than a spreadsheet wrote. */
export const notComputed = '#FORMULA!';

/** The XML of a cell up to its end, in which a number with such a format is a text, and a formula without a value an error. */
function shownCell(xml: string, formats: ReadonlyMap<string, Show>): string {
  const start = xml.lastIndexOf('<c ');
  const value = xml.lastIndexOf('<v>');
  // A formula whose value is an empty text has the type "str".
  const cell = start < 0 ? '' : xml.slice(start);
  if (
    /<f[ />]/.test(cell) &&
    (value < start || cell.endsWith('<v></v>')) &&
    !attribute(cell.split('>', 1)[0] ?? '', 't')
  )
    return `${xml.slice(0, xml.indexOf('>', start))} t="inlineStr"><is><t>${notComputed}</t></is>`;
  if (start < 0 || value < start || !xml.endsWith(endOfValue)) return xml;
  const tag = xml.slice(start, xml.indexOf('>', start));
  const digits = xml.slice(value + '<v>'.length, -endOfValue.length);
  // LibreOffice writes that a number is one.
  const untyped = tag.replace(' t="n"', '');
  const show = attribute(untyped, 't') ? undefined : formats.get(attribute(tag, 's'));
  if (!show || !(show === asPercent ? /^-?[0-9.eE+-]{1,25}$/ : /^[0-9]{1,15}$/).test(digits)) return xml;
  return `${xml.slice(0, start)}${untyped} t="inlineStr"><is><t xml:space="preserve">${encoded(show(digits))}</t></is>`;
}

/** Writes numbers with such a format, and errors, as texts: the library reads neither as it is shown. */
export function showCells(parts: Parts): void {
  const formats = shownFormats(textOf(parts['xl/styles.xml']));
  for (const [name, part] of Object.entries(parts)) {
    if (!name.startsWith('xl/worksheets/')) continue;
    const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength);
    if (formats.size === 0 && !bytes.includes(' t="e"') && !bytes.includes('<f')) continue;
    const cells = bytes.toString().split(endOfCell);
    const shown = cells.map((xml) => shownCell(xml, formats)).join(endOfCell);
    parts[name] = Buffer.from(shown.replaceAll(' t="e"', ' t="str"'));
  }
}
