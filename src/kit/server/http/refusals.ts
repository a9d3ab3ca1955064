import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { linkNameOf } from '#kit/contract/endpoint.ts';
import {
  AppError,
  type FieldErrors,
  malformed,
  notFoundMessage,
  unavailableMessage,
  unexpectedMessage,
} from '#kit/contract/errors.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import { isPassingFailure } from '#kit/server/database/database.ts';
import { withWords } from '#kit/server/language/say.ts';
import { addressOf, networkOf } from '#kit/server/security/limits.ts';
import { Busy, type RefusalCount } from './refused.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Refused because the server is busy; counted instead of logged. */
    isCounted: boolean;
  }
}

/**
 * Answers every failure with one of two bodies: the admission form's envelope where the route uses it, else `{ error
 * }`. Refusals of a busy server are counted; other internal failures are logged with their stack.
 */
export function answerFailures(app: FastifyInstance, refusals: RefusalCount) {
  app.setErrorHandler((error: unknown, request, reply) => {
    const refused = asAppError(error);
    if (refused.status >= 500) {
      request.isCounted = error instanceof AppError && error.code === 'unavailable';
      if (!request.isCounted) request.log.error({ error }, 'Request failed');
      else refusals.add(error instanceof Busy ? error.lacking : 'other', networkOf(addressOf(request) ?? ''));
    }
    return refuse(request, reply, refused);
  });
}

/** Sends one refusal; also for answers without a route, such as for an unknown path. */
export function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, code, message, text, fields, data, retryAfter }: AppError,
) {
  if (retryAfter) reply.header('retry-after', retryAfter);
  // Unread bytes are not waited for.
  if (code === 'too_large' && !request.raw.complete) reply.header('connection', 'close');
  reply.status(status);
  const { access, envelope, titled } = request.routeOptions.config;
  const isOfFamily = access === 'public' || (access !== undefined && linkNameOf(access) !== undefined);
  const send = (body: object) => reply.send(isOfFamily ? withWords(body) : body);
  if (envelope) {
    return send({
      isSuccess: false,
      code,
      message,
      text,
      errors: inEnglish(fields),
      texts: fields,
      data: data ?? {},
    });
  }
  const hasFields = Object.keys(fields).length > 0;
  const error = {
    code,
    message,
    text,
    ...(hasFields && { fields: inEnglish(fields), texts: fields }),
    ...(data && { data }),
  };
  return send({ ...(titled && { title: message }), error });
}

/** For programs; browsers translate the texts beside it. */
const inEnglish = (fields: FieldErrors) =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, english(text)]));

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  const { statusCode } = (error ?? {}) as FastifyError;
  // The framework's refusals come first: an aborted body has the code of a lost database connection.
  if (statusCode === 413) return new AppError('too_large', verbatim('This request is too large.'));
  if (statusCode === 415) return malformed('This kind of content is not accepted here.', 'unsupported');
  if (statusCode === 404) return new AppError('not_found', notFoundMessage);
  if (statusCode && statusCode >= 400 && statusCode < 500) return malformed('This request can’t be read.');

  if (isPassingFailure(error)) return new AppError('unavailable', unavailableMessage, { retryAfter: 5 });
  if (isNoSpace(error))
    return new AppError('unavailable', text`The server’s storage is full. Try again later.`, {
      retryAfter: 60,
    });
  return new AppError('unexpected', unexpectedMessage);
}

const isNoSpace = (error: unknown) =>
  error instanceof Error &&
  [error, error.cause].some((cause) => ['ENOSPC', 'EDQUOT'].includes((cause as { code?: string })?.code ?? ''));
