import type { FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';
import { programVersion } from './version.ts';

/**
 * Links look like 32 hex digits, or ten characters after /a/ or /c/, and the gateway's secret is in the path of its reports;
 * none may appear in a log, wherever it comes from (C6).
 */
const withoutLinks = (text: string): string =>
  text
    .replace(/\/message\/report\/[^\s/"]+/gi, '/message/report/[secret]')
    .replace(/[0-9a-f]{32}/gi, '[link]')
    .replace(/\/([ac])\/[^\s/"]+/gi, '/$1/[link]');

interface Loggable {
  name?: string;
  code?: string;
  constraint?: string;
  message?: string;
  stack?: string;
}

/** The log: JSON lines on standard output, each with its process and version. Errors are logged without the values of a failing row (I6). */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const error = ({ name, code, constraint, message = '', stack = '' }: Loggable) => ({
    name,
    code,
    constraint,
    message: withoutLinks(message),
    stack: withoutLinks(stack),
  });
  const base = { pid: process.pid, release: programVersion() };
  return pino({ level, base, serializers: { error, err: error } }, destination);
}

/** One line per request: the path without the query, since the query has the link, and the number of the account. */
export const requestLine = ({ method, url, ip, user }: FastifyRequest) => ({
  method,
  path: withoutLinks(url.replace(/\?.*$/s, '')),
  ip,
  ...(user && { account: user.id }),
});

/** Milliseconds from which an answer was slow. */
const slow = 1000;

interface Answered {
  status: number;
  ms: number;
  /** A page asked for it by itself, to be up to date. */
  isBackground: boolean;
}

/**
 * The level of a request's line: acts, reads, refusals and slow answers are `info`. Pages with their scripts, style
 * sheets and pictures, and what pages ask for by themselves, are `debug`: one view of a page would be thirty lines.
 */
export function levelOf({ method, url }: Pick<FastifyRequest, 'method' | 'url'>, answered: Answered): 'info' | 'debug' {
  const { status, ms, isBackground } = answered;
  const isQuiet = method === 'GET' && (isBackground || !url.startsWith('/api/'));
  return isQuiet && status < 400 && ms < slow ? 'debug' : 'info';
}
