const mostCharacters = 500;

const schemes = ['https:', 'mailto:', 'tel:'];

/** The address of a link as it is stored; undefined where links may not lead there. */
export function linkAddress(typed: string): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || trimmed.length > mostCharacters || !URL.canParse(trimmed)) return undefined;
  const { protocol, href } = new URL(trimmed);
  return schemes.includes(protocol) && href.length <= mostCharacters ? href : undefined;
}
