import { BlockList, isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { english, text } from '#kit/contract/text.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';

/**
 * Returns a function that tests whether an address is one of these proxies: addresses and networks such as 10.0.0.0/8.
 * Throws an Error with the remedy for invalid entries.
 */
export function trustIn(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    try {
      addTo(list, proxy);
    } catch {
      throw new Error(
        'TRUSTED_PROXIES must list addresses or networks, for example TRUSTED_PROXIES=127.0.0.1,10.0.0.0/8.',
      );
    }
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function addTo(list: BlockList, proxy: string) {
  const [address = '', bits] = proxy.split('/');
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, /^\d+$/.test(bits) ? Number(bits) : Number.NaN, familyOf(address));
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

/** Private networks, where one's own proxy stands; anyone else may send its header. */
const isOwn = trustIn(['127.0.0.0/8', '::1', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fe80::/10']);

const hour = 60 * 60 * 1000;

/** The last seen proxy in a private network that is not trusted, and when (milliseconds of this process). */
let seen: { address: string; at: number } | undefined;

const remedy = (address: string) =>
  text`TRUSTED_PROXIES does not list the proxy at ${{ address }}, so all visitors through this proxy share one rate limit. Set TRUSTED_PROXIES=${{ address }} and restart the server.`;

/** Notices requests from a proxy that is not trusted, and logs one warning an hour. */
export function watchForProxies(log: Pick<Logger, 'warn'>, isTrusted: (address: string) => boolean) {
  let warnedAt = -hour;
  return ({ headers, raw }: FastifyRequest) => {
    if (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined) return;
    const address = raw.socket.remoteAddress;
    const now = performance.now();
    // From other networks the header proves nothing: a sender could choose any address to be trusted.
    if (address === undefined || !isOwn(address) || isTrusted(address)) return;
    seen = { address, at: now };
    if (now - warnedAt < hour) return;
    warnedAt = now;
    log.warn(english(remedy(address)));
  };
}

/** The proxy missing in TRUSTED_PROXIES, if one was seen within the last hour. */
export const findProxyWarnings: FindWarnings = async () =>
  seen && performance.now() - seen.at < hour ? [{ name: 'proxy-unknown', text: remedy(seen.address) }] : [];
