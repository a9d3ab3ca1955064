/** A request of a test. */
export interface Sent {
  method?: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS';
  url: string;
  body?: FormData | object | string | Buffer;
  headers?: Record<string, string>;
}

/** The server's answer. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  text: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by the tests.
  json: any;
}
