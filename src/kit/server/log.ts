import type { FastifyRequest } from 'fastify';
import { type DestinationStream, type Logger, pino } from 'pino';

/** 32 hex digits are what a link looks like; none may be read from a log, wherever somebody put it (C6). */
export const withoutLinks = (text: string): string => text.replace(/[0-9a-f]{32}/gi, '[link]');

interface Loggable {
  name?: string;
  code?: string;
  constraint?: string;
  message?: string;
  stack?: string;
}

/** The log: JSON lines on standard output. Of errors only what says where; values of a failing row are left out (I6). */
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

/** One line a request: path without query, since the query carries the link. */
export const requestLine = ({ method, url, ip }: FastifyRequest) => ({
  method,
  path: withoutLinks(url.replace(/\?.*$/s, '')),
  ip,
});
