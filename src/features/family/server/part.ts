import type * as z from 'zod/mini';
import type { Setting } from '#kit/contract/setting.ts';
import type { Context, FamilyDate, FamilyPart } from '#kit/server/context.ts';
import { readSetting } from '#kit/server/settings.ts';
import type { FamilyChild } from './children.ts';

/** Whom the page is for. A part reads and shows only what belongs to these children. */
export interface FamilyReader {
  guardianId: number;
  day: string;
  children: readonly FamilyChild[];
  /** Reads what several parts show: the first part that asks for a key reads, the others get the same answer. */
  once: <Answer>(key: string, read: () => Promise<Answer>) => Promise<Answer>;
}

/** Whom a page or calendar is for, while one request reads it. */
export function familyReader(whom: Omit<FamilyReader, 'once'>): FamilyReader {
  const answers = new Map<string, Promise<unknown>>();
  return {
    ...whom,
    once: <Answer>(key: string, read: () => Promise<Answer>) => {
      const answer = (answers.get(key) as Promise<Answer> | undefined) ?? read();
      answers.set(key, answer);
      return answer;
    },
  };
}

interface Part<Output extends z.ZodMiniType> {
  /** The feature's word, under which the page finds the answer. */
  key: string;
  /** Everything it does not name is removed. */
  output: Output;
  /** It is not of school matters: it is given only the children of whom the guardian sees everything. */
  isPrivate?: boolean;
  /** While the school has switched it off, it is given no children. */
  setting?: Setting<'yesNo'>;
  /** Reads for all children at once. */
  read: (ctx: Context, family: FamilyReader) => Promise<z.input<Output>>;
  /** What of it falls on days of a span, for the guardian's own calendar. */
  dates?: (ctx: Context, family: FamilyReader, span: Span) => Promise<readonly FamilyDate[]>;
}

interface Span {
  from: string;
  to: string;
}

/** Declares what a feature shows on the family page, for `familyParts` of its manifest. */
export function familyPart<Output extends z.ZodMiniType>({
  isPrivate = false,
  setting,
  read,
  dates,
  ...part
}: Part<Output>): FamilyPart {
  const shown = async (ctx: Context, family: FamilyReader): Promise<FamilyReader> => {
    const isShown = !setting || (await family.once(setting.key, () => readSetting(ctx, setting)));
    return { ...family, children: family.children.filter(({ reach }) => isShown && (!isPrivate || reach === 'All')) };
  };
  return {
    ...part,
    read: async (ctx, family: FamilyReader) => read(ctx, await shown(ctx, family)),
    ...(dates && {
      dates: async (ctx: Context, family: FamilyReader, span: Span) => dates(ctx, await shown(ctx, family), span),
    }),
  };
}
