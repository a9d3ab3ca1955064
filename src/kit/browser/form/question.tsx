import { Trans } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import { translate } from '#kit/browser/text.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { Text } from '#kit/contract/text.ts';
import { useApiForm, useFieldInfo } from './form-context.ts';

/** The props of every field of a form. */
export interface Common {
  name: string;
  /** Replaces the contract's label, where the page needs a longer one. */
  label?: Text;
  /** Read aloud before the label where two fields have the same label: "Father’s". */
  owner?: string;
  hint?: ReactNode;
  /** The heading above has the same words: the label is only read aloud. */
  isHeaded?: boolean;
  /** Required by a rule of the page, although the contract allows it to be empty. */
  required?: boolean;
}

interface Asked extends Common {
  /** An error found by the control itself, shown while the form has none. */
  problem?: Text;
}

/** Label, hint, note and error of a question, linked to its control for screen readers. */
export function useQuestion({ name, label, owner, hint, isHeaded, required, problem }: Asked) {
  const { values, errors, notes, change, isSending } = useApiForm();
  const info = useFieldInfo(name);
  const id = useId();
  const error = errors[name] ?? problem;
  const note = notes[name];
  const described =
    [hint && `${id}-hint`, note && `${id}-note`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  return {
    info,
    value: values[name],
    values,
    error,
    change,
    isSending,
    ids: { control: name, hint: `${id}-hint`, note: `${id}-note`, error: `${id}-error`, label: `${id}-label` },
    described,
    isOptional: info.optional && !required,
    words: translate(label ?? info.label),
    owner,
    hint,
    note,
    isHeaded,
  };
}

export type QuestionParts = ReturnType<typeof useQuestion>;

function LabelWords({ words, owner, isOptional }: Pick<QuestionParts, 'words' | 'owner' | 'isOptional'>) {
  return (
    <>
      {owner && <VisuallyHidden>{owner} </VisuallyHidden>}
      {words}
      {isOptional && (
        <span className="optional">
          {' '}
          <Trans>(optional)</Trans>
        </span>
      )}
    </>
  );
}

export const Hint = ({ id, children }: { id: string; children: ReactNode }) =>
  children ? (
    <p className="hint" id={id}>
      {children}
    </p>
  ) : null;

/** Words of others about a field. */
export const Note = ({ id, note }: { id: string; note: string | undefined }) =>
  note ? (
    <p className="note" id={id}>
      {note}
    </p>
  ) : null;

export const ErrorText = ({ id, error }: { id: string; error: Text | undefined }) =>
  error ? (
    <p className="error" id={id}>
      <VisuallyHidden>
        <Trans>Error:</Trans>{' '}
      </VisuallyHidden>
      {translate(error)}
    </p>
  ) : null;

/** One question with one control: label, hint, note, error, box, in this order. */
export function Question({ parts, width, children }: { parts: QuestionParts; width?: Width; children: ReactNode }) {
  const { ids, error, hint, note } = parts;
  return (
    <div className={`question${error ? ' question-wrong' : ''}${width ? ` width-${width}` : ''}`}>
      <label htmlFor={ids.control} id={ids.label}>
        <LabelWords {...parts} />
      </label>
      <Hint id={ids.hint}>{hint}</Hint>
      <Note id={ids.note} note={note} />
      <ErrorText id={ids.error} error={error} />
      {children}
    </div>
  );
}

/** One question with several controls, as a group with a legend. */
export function Questions({ parts, children }: { parts: QuestionParts; children: ReactNode }) {
  const { ids, error, hint, note, described, isHeaded } = parts;
  const words = <LabelWords {...parts} />;
  return (
    <fieldset className={`question${error ? ' question-wrong' : ''}`} aria-describedby={described}>
      <legend>{isHeaded ? <VisuallyHidden>{words}</VisuallyHidden> : words}</legend>
      <Hint id={ids.hint}>{hint}</Hint>
      <Note id={ids.note} note={note} />
      <ErrorText id={ids.error} error={error} />
      {children}
    </fieldset>
  );
}

/** Boxes are as wide as their expected answer. */
export type Width = 'short' | 'medium';
