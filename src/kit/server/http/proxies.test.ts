import type { FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { findProxyWarnings, trustIn, watchForProxies } from './proxies.ts';

test('G2 a proxy is trusted by its address or its network, however it is written, and nothing else is', () => {
  const isTrusted = trustIn(['127.0.0.1', '10.0.0.0/8', '2001:db8::/32']);
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1', '10.1.2.3', '2001:db8:1::2'])
    expect(isTrusted(address)).toBe(true);
  for (const address of ['127.0.0.2', '11.0.0.1', '2001:db9::1', '::1', '', 'unknown', '127.0.0.1:80'])
    expect(isTrusted(address)).toBe(false);
  expect(trustIn([])('127.0.0.1')).toBe(false);
});

test.each(['nginx', '10.0.0.0/40', '10.0.0.0/', '10.0.0.0/x', '1.2.3'])(
  'G2 a proxy called %s is refused at the start',
  (proxy) => {
    expect(() => trustIn(['127.0.0.1', proxy])).toThrow('TRUSTED_PROXIES must list addresses or networks');
  },
);

test('W4 a proxy of one’s own that is not trusted is a warning; a header from elsewhere is none', async () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) } as unknown as Parameters<typeof watchForProxies>[0];
  const watch = watchForProxies(log, trustIn(['10.0.0.1']));
  const from = (remoteAddress: string) =>
    ({ headers: { 'x-forwarded-for': '1.2.3.4' }, raw: { socket: { remoteAddress } } }) as unknown as FastifyRequest;
  watch(from('203.0.113.9'));
  watch(from('10.0.0.1'));
  const warnings = await findProxyWarnings({} as Services);
  expect([lines, warnings.filter(({ text }) => / at (203\.0\.113\.9|10\.0\.0\.1) /.test(english(text)))]).toEqual([
    [],
    [],
  ]);
  watch(from('10.0.0.2'));
  watch(from('10.0.0.2'));
  expect(lines).toEqual([
    'TRUSTED_PROXIES does not list the proxy at 10.0.0.2, so all visitors through this proxy share one rate limit. ' +
      'Set TRUSTED_PROXIES=10.0.0.2 and restart the server.',
  ]);
  const found = await findProxyWarnings({} as Services);
  expect(found.map(({ name, text }) => [name, english(text)])).toEqual([['proxy-unknown', lines[0]]]);
});
