import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';

/** A bucket of a server that speaks S3, and how it is reached. */
export interface BucketSettings {
  endpoint: string;
  region: string;
  keyId: string;
  secret: string;
  name: string;
  /** What all names begin with: nothing, or a folder with a slash at its end. */
  folder: string;
  /** How many times as long as usual answers may take. */
  patience: number;
}

interface Request {
  method: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'HEAD';
  /** The name within the bucket's folder; none for the bucket itself. */
  name?: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Buffer | string;
  /** Milliseconds in which it is tried again; a request of a person waits no longer. */
  within?: number;
  /** Not to be tried again here: done twice, it would find that it was done. */
  isOnce?: boolean;
}

export interface S3Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

export interface S3 {
  /** The bucket and its folder, for people: "s3://shala/north/". */
  place: string;
  /** The answer, of which 404 is one; throws a plain sentence for any other refusal. */
  send: (request: Request) => Promise<S3Answer>;
}

/** Milliseconds for all tries together of what a person waits for: a transaction and its connection wait too. */
const usually = 6000;
const oneTry = 5000;
/** Milliseconds more for each megabyte sent: below 8 Mbit/s a line is too slow. */
const perMegabyte = 1000;
/** Milliseconds between two tries, doubled each time. */
const firstPause = 200;
const longestPause = 3000;

/** What servers say when a bucket takes no more; MinIO, Ceph and others name it in their own ways. */
const fullCodes = /^(QuotaExceeded|XMinioStorageFull|XMinioAdminBucketQuotaExceeded|InsufficientStorage)$/;
/** Worth another try: the server is busy, was restarted, or did not get the whole body. */
const passingCodes =
  /^(RequestTimeout|IncompleteBody|BadDigest|XAmzContentSHA256Mismatch|SlowDown|ServiceUnavailable)$/;

/** A refusal of the server, with a code of the file system where one says the same: those have words for people. */
class RefusedByS3 extends Error {
  readonly code: string | undefined;
  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** Whether the server answered and said no, so that waiting for it does not help. */
export const isRefusal = (error: unknown): boolean => error instanceof RefusedByS3 && error.code === undefined;

/**
 * Speaks S3 with one bucket. A connection that is lost at any point, an answer that does not come, 429 and 5xx are tried
 * again. That is safe: a name only ever gets bytes that open to the same, so a request done twice does no harm.
 */
export function openS3({ endpoint, region, keyId, secret, name: bucket, folder, patience }: BucketSettings): S3 {
  const place = `s3://${bucket}/${folder}`;
  const root = `${new URL(endpoint).origin}/${bucket}`;
  const cache = new Map<string, ArrayBuffer>();

  const once = async (request: Request, milliseconds: number): Promise<S3Answer> => {
    const { method, name, query = {}, headers = {}, body } = request;
    const path = name === undefined ? '' : `/${folder}${name}`;
    const url = new URL(`${root}${path}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      // The server compares the body with its hash, so that no altered or cut one is stored.
      headers: {
        ...headers,
        'x-amz-content-sha256': createHash('sha256')
          .update(body ?? '')
          .digest('hex'),
      },
      ...{ accessKeyId: keyId, secretAccessKey: secret, service: 's3', region, cache },
    });
    const signed = await signer.sign();
    const answer = await fetch(signed.url, {
      ...{ method, headers: signed.headers, redirect: 'manual', signal: AbortSignal.timeout(milliseconds) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
    // A connection that is lost here throws: a cut body is no answer.
    return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
  };

  return {
    place,
    send: async (request) => {
      const { body = '', within = usually, isOnce = false } = request;
      const more = (perMegabyte * Buffer.byteLength(body)) / 1_000_000;
      const endAt = performance.now() + (within + more) * patience;
      for (let tries = 0; ; tries++) {
        const left = endAt - performance.now();
        const limit = isOnce ? left : Math.min(left, (oneTry + more) * patience);
        const answer = await once(request, Math.max(1, Math.ceil(limit))).catch((error: Error) => error);
        const failed = failureOf(answer, place);
        if (!failed) return answer as S3Answer;
        // Not all processes of a school at the same moment.
        const rest = Math.min(longestPause, firstPause * 2 ** tries) * (0.5 + Math.random() / 2);
        if (failed.isFinal || isOnce || performance.now() + rest > endAt) throw failed.error;
        await pause(rest);
      }
    },
  };
}

interface Failure {
  error: RefusedByS3;
  isFinal: boolean;
}

function failureOf(answer: S3Answer | Error, place: string): Failure | undefined {
  if (answer instanceof Error) {
    const why = answer.name === 'TimeoutError' ? 'in time' : `(${wordOf(answer)})`;
    return { error: new RefusedByS3(`${place} does not answer ${why}.`, 'ETIMEDOUT'), isFinal: false };
  }
  const { status, bytes } = answer;
  const code = /<Code>([A-Za-z0-9]{1,60})<\/Code>/.exec(bytes.toString('utf8', 0, 4000))?.[1] ?? '';
  if (status < 300 || (status === 404 && code !== 'NoSuchBucket')) return undefined;
  const said = `${status}${code && ` ${code}`}`;
  if (status === 507 || fullCodes.test(code))
    return { error: new RefusedByS3(`${place} is full (${said}).`, 'ENOSPC'), isFinal: true };
  if (status >= 500 || status === 429 || passingCodes.test(code))
    return { error: new RefusedByS3(`${place} is busy (${said}).`, 'ETIMEDOUT'), isFinal: false };
  const remedy = remedies[code] ?? 'Check S3_ENDPOINT, S3_REGION and the keys.';
  return { error: new RefusedByS3(`${place} refuses a request (${said}). ${remedy}`), isFinal: true };
}

const remedies: Readonly<Record<string, string>> = {
  AccessDenied: 'Its key may not read, write, list or delete there.',
  InvalidAccessKeyId: 'Check S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Check S3_SECRET_ACCESS_KEY and S3_REGION.',
  NoSuchBucket: 'Make the bucket first.',
  RequestTimeTooSkewed: 'Set this machine’s clock.',
};

/** What the network said, such as ECONNRESET. */
const wordOf = ({ message, cause }: Error): string => (cause as { code?: string } | undefined)?.code ?? message;
