import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { List, Row, Table } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { Field } from '#kit/contract/field.ts';
import type { ImportAnswer, ImportRow, ImportStage, RowQuestion } from '#kit/contract/import.ts';
import { mostPreviewed } from '#kit/contract/import-limits.ts';
import { showNumber, withLabel } from '#kit/contract/text.ts';
import styles from './FileImport.module.css';
import type { Fields } from './import-flow.ts';

export interface Shown {
  status: ImportRow['status'] | '';
  cause: string;
  page: number;
}

export const allRows: Shown = { status: '', cause: '', page: 0 };

interface Props {
  answer: ImportAnswer;
  stage: ImportStage | undefined;
  fields: Fields;
  shown: Shown;
  isBusy: boolean;
  /** Shows other rows; without it these are all. */
  onShow?: (shown: Shown) => void;
  /** Corrects a cell; without it the rows are only shown. */
  onEdit?: (line: number, name: string, value: string) => void;
  /** Answers the question of a row, or of all rows with questions of its kind. */
  onAnswer?: (question: Pick<RowQuestion, 'kind' | 'choices'>, key: string, line?: number) => void;
}

/** The rows as they will be stored, and the reasons of refusals with their counts. */
export function PreviewStep({ answer, stage, fields, shown, isBusy, onShow, onEdit, onAnswer }: Props) {
  const { t } = useLingui();
  const { counts, rows, causes = [], questions = [], kept = [], found = rows.length } = answer;
  const words = { added: t`New`, changed: t`Changed`, same: t`Unchanged`, wrong: t`Error` };
  const kinds = { added: 'good', changed: 'info', same: 'plain', wrong: 'bad' } as const;
  const statuses = (['wrong', 'added', 'changed', 'same'] as const).filter((one) => counts[one] > 0);
  const names = Object.keys(fields).filter((name) =>
    rows.some(({ cellsAsStored = {}, messages }) => name in cellsAsStored || messages[name]),
  );
  const labelOf = (name: string) => (fields[name] ? translate(fields[name].label) : name);
  const total = counts.added + counts.changed + counts.same + counts.wrong;
  const pages = Math.ceil(found / mostPreviewed);
  const table = useRef<HTMLTableElement>(null);
  // A corrected row may have left the table with the focus: the next error is in its place.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows lose the focus.
  useEffect(() => {
    const bad = firstOpen(table.current);
    takeLostFocus(bad);
    // The cell of a chosen reason may be beyond the edge of the table.
    if (shown.cause !== '') bad?.scrollIntoView?.({ block: 'nearest', inline: 'center' });
  }, [rows]);
  return (
    <>
      {onShow && (
        <p role="status">
          <Trans>
            {showNumber(counts.added)} new, {showNumber(counts.changed)} changed, {showNumber(counts.same)} unchanged.
          </Trans>{' '}
          {counts.wrong > 0 && (
            <strong>
              <Plural value={counts.wrong} one="# row has an error." other="# rows have errors." />
            </strong>
          )}
        </p>
      )}
      {onShow && (
        <Row as="fieldset" gap={4} wrap mt={8} mb={8} className={styles.filters} aria-label={t`Rows to show`}>
          <Button
            kind="quiet"
            aria-pressed={shown.status === '' && shown.cause === ''}
            onClick={() => onShow({ status: '', cause: '', page: 0 })}
          >
            <Trans>All ({showNumber(total)})</Trans>
          </Button>
          {statuses.map((status) => (
            <Button
              key={status}
              kind="quiet"
              aria-pressed={shown.status === status && shown.cause === ''}
              onClick={() => onShow({ status, cause: '', page: 0 })}
            >
              {words[status]} ({showNumber(counts[status])})
            </Button>
          ))}
        </Row>
      )}
      {onShow && causes.length > 0 && (
        <List mt={8} mb={8} className={styles.causes} aria-label={t`Reasons of errors`}>
          {causes.map(({ key, field, message, count }) => (
            <li key={key}>
              <button
                type="button"
                aria-pressed={shown.cause === key}
                onClick={() => onShow({ status: '', cause: shown.cause === key ? '' : key, page: 0 })}
              >
                <strong>{showNumber(count)}</strong> {withLabel(message, fields[field]?.label, translate)}
              </button>
            </li>
          ))}
        </List>
      )}
      {onShow && kept.length > 0 && (
        <Notice as="div">
          {kept.map(({ field, message, count }) => (
            <div key={`${field} ${message.id}`}>
              <Plural value={count} one="# row:" other="# rows:" />{' '}
              {withLabel(message, fields[field]?.label, translate)}
            </div>
          ))}
        </Notice>
      )}
      {onAnswer &&
        questions.map(({ kind, count, open, choices }) => (
          <Row as="fieldset" gap={8} align="center" wrap key={kind} className={styles.questions}>
            <legend>
              <Plural value={count} one="# row has a question." other="# rows have the same question." />{' '}
              {open > 0 && <Plural value={open} one="# is unanswered." other="# are unanswered." />}
            </legend>
            <Trans>All alike:</Trans>{' '}
            {choices.map(({ key, label }) => (
              <Button key={key} onClick={() => onAnswer({ kind, choices }, key)}>
                {translate(label)}
              </Button>
            ))}
          </Row>
        ))}
      {onEdit && counts.wrong > 0 && (
        <p className="soft">
          <Trans>Correct a cell here: choose it, type the value and press Enter.</Trans>
        </p>
      )}
      {rows.length > 0 && (
        <ScrollFrame label={t`Rows of the file`}>
          <Table ref={table} className={styles.grid} aria-busy={isBusy}>
            <thead>
              <tr>
                <th scope="col">{t`Line`}</th>
                <th scope="col">{t`Result`}</th>
                {names.map((name) => (
                  <th key={name} scope="col">
                    {labelOf(name)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ line, displayName, status, messages, question, cellsAsStored = {} }) => {
                const isAsked = question !== undefined && onAnswer !== undefined;
                const isOpen = isAsked && question.answer === undefined;
                const other = Object.entries(messages).filter(
                  ([name]) => !names.includes(name) && !(isOpen && name === question.field),
                );
                return (
                  <tr key={line}>
                    <th scope="row">{line}</th>
                    <td className={styles.result}>
                      <Chip kind={kinds[status]}>
                        {status === 'same' && Object.keys(messages).length > 0 ? t`Not changed` : words[status]}
                      </Chip>
                      {names.length === 0 && ` ${displayName}`}
                      {other.map(([name, message]) => (
                        <span key={name} className={status === 'wrong' ? styles.why : 'soft'}>
                          {withLabel(message, fields[name]?.label, translate)}
                        </span>
                      ))}
                      {isAsked && (
                        <Question
                          label={t`Question of line ${line}`}
                          question={question}
                          onAnswer={(key) => onAnswer(question, key, line)}
                        />
                      )}
                    </td>
                    {names.map((name) => {
                      const message = messages[name];
                      const value = cellsAsStored[name] ?? '';
                      return (
                        <td key={name} data-bad={(status === 'wrong' && message !== undefined) || undefined}>
                          {onEdit ? (
                            <EditableCell
                              label={t`${labelOf(name)} in line ${line}`}
                              value={value}
                              shown={shownValue(fields[name], value)}
                              choices={stage?.choices[name] ?? []}
                              onEdit={(next) => onEdit(line, name, next)}
                            />
                          ) : (
                            shownValue(fields[name], value)
                          )}
                          {message && !(isOpen && name === question.field) && (
                            <span className={status === 'wrong' ? styles.why : 'soft'}>{translate(message)}</span>
                          )}
                        </td>
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </Table>
        </ScrollFrame>
      )}
      {onShow && pages > 1 && (
        <Row as="p" gap={12} align="center">
          <Button disabled={shown.page === 0} onClick={() => onShow({ ...shown, page: shown.page - 1 })}>
            <Trans>Previous</Trans>
          </Button>{' '}
          <span className="soft">{t`Page ${shown.page + 1} of ${plural(pages, { one: '#', other: '#' })}`}</span>{' '}
          <Button disabled={shown.page + 1 >= pages} onClick={() => onShow({ ...shown, page: shown.page + 1 })}>
            <Trans>Next</Trans>
          </Button>
        </Row>
      )}
    </>
  );
}

/** The first question without an answer, or the first cell with an error. */
const firstOpen = (table: HTMLElement | null) =>
  table?.querySelector<HTMLElement>('[data-open] button') ??
  table?.querySelector<HTMLElement>('[data-bad] button') ??
  null;

interface QuestionProps {
  label: string;
  question: RowQuestion;
  onAnswer: (key: string) => void;
}

function Question({ label, question: { text, choices, answer }, onAnswer }: QuestionProps) {
  return (
    <Row
      as="fieldset"
      gap={8}
      align="center"
      wrap
      className={styles.question}
      aria-label={label}
      data-open={answer === undefined || undefined}
    >
      <span className={answer === undefined ? styles.why : 'soft'}>{translate(text)}</span>
      {choices.map(({ key, label: words }) => (
        <Button key={key} aria-pressed={key === answer} onClick={() => onAnswer(key)}>
          {translate(words)}
        </Button>
      ))}
    </Row>
  );
}

/** A value as the lists show it. */
const shownValue = (field: Field | undefined, value: string) =>
  (field?.kind === 'date' || field?.kind === 'birthDate') && /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(value)
    ? showDate(value)
    : value;

interface CellProps {
  label: string;
  value: string;
  shown: string;
  choices: readonly string[];
  onEdit: (value: string) => void;
}

/** A cell that becomes a box when it is chosen, and takes the focus back from it. */
function EditableCell({ label, value, shown, choices, onEdit }: CellProps) {
  const [isEditing, setEditing] = useState(false);
  const wasEditing = useRef(false);
  /** The entry chosen by arrow keys; Enter takes it. */
  const byKey = useRef<string>(undefined);
  const isKey = useRef(false);
  const open = () => {
    byKey.current = undefined;
    isKey.current = false;
    wasEditing.current = true;
    setEditing(true);
  };
  const done = (next: string | undefined) => {
    setEditing(false);
    if (next !== undefined && next !== value) onEdit(next);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement | HTMLSelectElement>) => {
    if (event.key !== 'Enter' && event.key !== 'Escape') return;
    event.preventDefault();
    event.stopPropagation();
    const typed = choices.length > 0 ? byKey.current : event.currentTarget.value;
    done(event.key === 'Enter' && typed !== shown ? typed : undefined);
  };
  if (!isEditing)
    return (
      <button
        ref={(cell) => {
          if (cell && wasEditing.current) takeLostFocus(cell);
          if (cell) wasEditing.current = false;
        }}
        type="button"
        className={styles.cell}
        aria-label={`${label}: ${shown}`}
        onClick={open}
      >
        {shown || '–'}
      </button>
    );
  if (choices.length > 0)
    return (
      <select
        className="box"
        // biome-ignore lint/a11y/noAutofocus: the cell that was chosen becomes this box.
        autoFocus
        aria-label={label}
        defaultValue={choices.includes(value) ? value : ''}
        onPointerDown={() => {
          isKey.current = false;
        }}
        onKeyDown={(event) => {
          isKey.current = true;
          onKeyDown(event);
        }}
        onChange={({ currentTarget: { value: chosen } }) => {
          byKey.current = chosen;
          if (!isKey.current) done(chosen);
        }}
        onBlur={() => done(byKey.current)}
      >
        <option value="">{''}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  return (
    <input
      className="box"
      // biome-ignore lint/a11y/noAutofocus: the cell that was chosen becomes this box.
      autoFocus
      aria-label={label}
      defaultValue={shown}
      onBlur={({ currentTarget }) => done(currentTarget.value === shown ? undefined : currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  );
}
