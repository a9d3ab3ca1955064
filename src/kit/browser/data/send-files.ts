interface Watch {
  /** Called with the share that was sent, 0 to 1. */
  onProgress?: (sent: number) => void;
  /** Cancels the request. */
  signal?: AbortSignal;
  /** Milliseconds after which the request is given up. */
  patience: number;
}

/**
 * As `fetch`, which cannot report upload progress. Rejects without an answer, with a `TimeoutError` after the time
 * limit.
 */
export function sendFiles(url: string, { method, headers, body }: RequestInit, watch: Watch): Promise<Response> {
  const { onProgress, signal, patience } = watch;
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(new TypeError('No answer came.'));
    request.open(method ?? 'POST', url);
    for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
    request.timeout = patience;
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(new Response(request.responseText || null, { status: request.status }));
    request.onerror = fail;
    request.ontimeout = () => reject(new DOMException('The line is too slow.', 'TimeoutError'));
    request.onabort = fail;
    signal?.addEventListener('abort', () => request.abort());
    if (signal?.aborted) return fail();
    request.send(body as XMLHttpRequestBodyInit);
  });
}
