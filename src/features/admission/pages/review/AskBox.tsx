import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import type { Text } from '#kit/contract/text.ts';
import type { reviewApi } from '../../contract/review.ts';
import styles from './AskBox.module.css';

interface Props {
  endpoint: typeof reviewApi.addRemark | typeof reviewApi.decideDocument;
  /** What the box is called, read aloud. */
  title: string;
  /** The question above the box. */
  label: Text;
  hiddenValues: Values;
  remark: string;
  /** Sentences that one press writes. */
  sentences: readonly string[];
  words: ReactNode;
  onClose: () => void;
}

/** Words for the family about an answer or a document, below it, so that the document is still in sight. */
export function AskBox({ endpoint, title, label, hiddenValues, remark, sentences, words, onClose }: Props) {
  const area = useRef<HTMLDivElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape gives the words up, wherever the focus is in the box.
    <div
      ref={area}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onClose();
      }}
    >
      <ApiForm
        endpoint={endpoint as typeof reviewApi.addRemark}
        label={title}
        className={styles.ask}
        isShort
        initial={{ remark }}
        hiddenValues={hiddenValues}
        onDone={onClose}
        buttons={(isSending) => (
          <Row gap={8} className={styles.buttons}>
            <Button type="submit" isBusy={isSending}>
              {words}
            </Button>
            <Button onClick={onClose}>
              <Trans>Cancel</Trans>
            </Button>
          </Row>
        )}
      >
        <Ready sentences={sentences} onChosen={() => area.current?.querySelector('input')?.focus()} />
        <TextField name="remark" label={label} required takesFocus />
      </ApiForm>
    </div>
  );
}

interface ReadyProps {
  sentences: readonly string[];
  onChosen: () => void;
}

/** Buttons that write a sentence into the box, beside what is typed. */
function Ready({ sentences, onChosen }: ReadyProps) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const typed = String(values.remark ?? '');
  const write = (sentence: string) => {
    const isOwn = typed !== '' && !sentences.includes(typed);
    change('remark', isOwn ? `${typed.trim()} ${sentence}` : sentence);
    onChosen();
  };
  return (
    <Row as="fieldset" gap={4} wrap className={styles.ready} aria-label={t`Ready sentences`}>
      {sentences.map((sentence) => (
        <button key={sentence} type="button" aria-pressed={typed.includes(sentence)} onClick={() => write(sentence)}>
          {sentence}
        </button>
      ))}
    </Row>
  );
}
