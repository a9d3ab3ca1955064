import { Trans } from '@lingui/react/macro';
import { lazy, Suspense, useRef } from 'react';
import { type Common, Question, useQuestion } from '#kit/browser/form/question.tsx';
import { type Block, isPlain, paragraphsOf } from '#kit/contract/rich-text.ts';

const Editor = lazy(async () => ({ default: (await import('./RichTextEditor.tsx')).RichTextEditor }));

/** A text in blocks, typed in an editor that is loaded with the first such field; until then in a plain box. */
export function RichTextField(common: Common) {
  const parts = useQuestion(common);
  const { name } = common;
  const hasFocus = useRef(false);
  const blocks = (parts.value as Block[] | undefined) ?? [];
  const shared = {
    name,
    labelledBy: parts.ids.label,
    describedBy: parts.described,
    onChange: (typed: Block[]) => parts.change(name, typed),
  };
  const plain = (
    <textarea
      id={name}
      className="box"
      rows={2}
      aria-labelledby={shared.labelledBy}
      value={blocks.map(({ runs }) => runs[0]?.text ?? '').join('\n')}
      onChange={({ target }) => shared.onChange(paragraphsOf(target.value))}
      onFocus={() => {
        hasFocus.current = true;
      }}
      onBlur={() => {
        hasFocus.current = false;
      }}
    />
  );
  const loading = (
    <p className="soft">
      <Trans>Loading…</Trans>
    </p>
  );
  return (
    <Question parts={parts}>
      <Suspense fallback={isPlain(blocks) ? plain : loading}>
        <Editor {...shared} isWrong={Boolean(parts.error)} blocks={blocks} wasTyping={hasFocus} />
      </Suspense>
    </Question>
  );
}
