import type { FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Links look like 32 hex digits, or ten characters after /a/ or /c/; none may appear in a log, wherever it comes from (C6). */
const withoutLinks = (text: string): string =>
  text.replace(/[0-9a-f]{32}/gi, '[link]').replace(/\/([ac])\/[^\s/"]+/gi, '/$1/[link]');

interface Loggable {
  name?: string;
  code?: string;
  constraint?: string;
  message?: string;
  stack?: string;
}

/** The log: JSON lines on standard output. Errors are logged without the values of a failing row (I6). */
export function openLog(level: string, destination?: DestinationStream): Logger {
  const error = ({ name, code, constraint, message = '', stack = '' }: Loggable) => ({
    name,
    code,
    constraint,
    message: withoutLinks(message),
    stack: withoutLinks(stack),
  });
  return pino({ level, base: undefined, serializers: { error, err: error } }, destination);
}

/** One line per request: the path without the query, since the query has the link. */
export const requestLine = ({ method, url, ip }: FastifyRequest) => ({
  method,
  path: withoutLinks(url.replace(/\?.*$/s, '')),
  ip,
});
