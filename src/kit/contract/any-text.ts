import * as z from 'zod/mini';
import { isText, type Text } from './text.ts';

/** A text as part of an answer. It is not in `text.ts`, since processes that open files start without Zod. */
export const anyText = z.custom<Text>(isText);
