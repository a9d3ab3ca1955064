import { Trans } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { type Common, Question, useQuestion } from '#kit/browser/form/question.tsx';
import type { Block } from '#kit/contract/rich-text.ts';

const Editor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }));

/** A text in blocks, typed in an editor that is loaded with the first such field. */
export function RichTextField(common: Common) {
  const parts = useQuestion(common);
  const { name } = common;
  return (
    <Question parts={parts}>
      <Suspense
        fallback={
          <p className="soft">
            <Trans>Loading…</Trans>
          </p>
        }
      >
        <Editor
          name={name}
          labelledBy={parts.ids.label}
          describedBy={parts.described}
          isWrong={Boolean(parts.error)}
          blocks={(parts.value as Block[] | undefined) ?? []}
          onChange={(blocks) => parts.change(name, blocks)}
        />
      </Suspense>
    </Question>
  );
}
