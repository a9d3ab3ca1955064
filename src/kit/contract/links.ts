/** The longest address of a link. */
const mostOfLink = 500;

interface ReadLinks {
  /** Addresses that begin with https://, each once, in the order in which they were typed. */
  links: string[];
  /** What is no address. */
  refused: string[];
}

/** Signs around an address that phones and chats add: brackets, quotes, a full stop. */
const before = '<([{"\'“‘*_';
const after = '>)]}"\'”’*_.,;!';

function trimSigns(word: string): string {
  let [start, end] = [0, word.length];
  while (start < end && before.includes(word[start] ?? '')) start += 1;
  while (end > start && after.includes(word[end - 1] ?? '')) end -= 1;
  // A bracket that the address itself opens is its own.
  if (word[end] === ')' && word.slice(start, end).includes('(')) end += 1;
  return word.slice(start, end);
}

const isHost = (host: string) => {
  const labels = host.split('.');
  return (
    !host.includes(',') &&
    labels.length > 1 &&
    labels.every((label) => label !== '') &&
    /^[a-z]{2,}$|^xn--/.test(labels.at(-1) ?? '')
  );
};

/** An address as a link that is safe to open; undefined for what is none. */
function linkOf(word: string): string | undefined {
  const scheme = word.slice(0, 8).toLowerCase();
  const rest = scheme.startsWith('https://')
    ? word.slice(8)
    : scheme.startsWith('http://')
      ? word.slice(7)
      : word.includes('://')
        ? ''
        : word;
  const whole = `https://${rest}`;
  if (rest === '' || whole.length > mostOfLink || !URL.canParse(whole)) return undefined;
  const { host, hostname, username, pathname, search, hash } = new URL(whole);
  if (username !== '' || !isHost(hostname)) return undefined;
  const end = `${pathname}${search}${hash}`;
  const link = `https://${host}${end === '/' && !rest.endsWith('/') ? '' : end}`;
  return link.length <= mostOfLink ? link : undefined;
}

/**
 * The links in what is typed or pasted: spaces, line ends, and commas before them or before a scheme part them, since maps
 * have commas in their addresses. A scheme in any case or none is read as https, and signs around an address are taken off.
 * Other schemes and words are refused.
 */
export function readLinks(typed: string): ReadLinks {
  const words = typed
    .split(/\s|,(?=\s|$|https?:\/\/)/i)
    .map(trimSigns)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const found = words.map((word) => ({ word, link: linkOf(word) }));
  return {
    links: [...new Set(found.flatMap(({ link }) => link ?? []))],
    refused: found.flatMap(({ word, link }) => (link === undefined ? [word.slice(0, 60)] : [])),
  };
}
