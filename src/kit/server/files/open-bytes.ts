import { join } from 'node:path';
import type { Config } from '#kit/server/config.ts';
import { openBucket } from './bucket.ts';
import type { Bytes } from './bytes.ts';
import { openFolder } from './folder.ts';

/** The files of a school, where its settings say that they are. */
export const openBytes = ({ bucket, folder }: Pick<Config, 'bucket' | 'folder'>): Bytes =>
  bucket ? openBucket(bucket) : openFolder(join(folder, 'files'));
