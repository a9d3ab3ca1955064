import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { type Text, withLabel } from '#kit/contract/text.ts';
import styles from './ErrorSummary.module.css';

export interface Problem {
  text: Text;
  /** The field's label, put before messages that do not name it. */
  label?: Text;
  /** The field it concerns, on this page. */
  field?: string;
  /** The owner of the field, where two fields have the same label: "Father". */
  group?: Text;
  /** The address of the page to correct it on, if it is another page. */
  href?: string;
  /** It is about something else than the form's fields. */
  isFurther?: boolean;
  /** What can be done about it at once. */
  actions?: { label: Text; act: () => void }[];
}

interface Props {
  problems: Problem[];
  /** Those that remain: a corrected error leaves the list, and the focus stays where it is. */
  remaining?: Problem[];
  children?: ReactNode;
}

/**
 * "There is a problem": the errors in page order, each linked to its field. It takes the focus when it appears or
 * changes (B10).
 */
export function ErrorSummary({ problems, remaining = problems, children }: Props) {
  const { t } = useLingui();
  const box = useRef<HTMLDivElement>(null);
  const titleId = useId();
  // Another language is no new list: the focus remains where it is.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list of problems is a new reason to be read.
  useEffect(() => {
    // Otherwise a list longer than the window would be shown from its end.
    box.current?.scrollIntoView({ block: 'start' });
    box.current?.focus({ preventScroll: true });
  }, [problems]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a page may name its window again with each list.
  useEffect(() => {
    const prefix = `${t`Error:`} `;
    document.title = prefix + document.title.replace(prefix, '');
    return () => {
      document.title = document.title.replace(prefix, '');
    };
  }, [problems, t]);
  return (
    <div className={styles.summary} ref={box} tabIndex={-1} role="alert" aria-labelledby={titleId}>
      <h2 className={styles.title} id={titleId}>
        <Trans>There is a problem</Trans>
      </h2>
      <ul>
        {runsOf(remaining).map(([first, ...more]) =>
          more.length > 0 && first.group ? (
            <li key={keyOf(first)}>
              <span className={styles.group}>{t`${translate(first.group)}:`}</span>
              <ul>
                {[first, ...more].map((problem) => (
                  <li key={keyOf(problem)}>
                    <Words problem={problem} />
                  </li>
                ))}
              </ul>
            </li>
          ) : (
            [first, ...more].map((problem) => (
              <li key={keyOf(problem)}>
                {problem.group && <span className={styles.group}>{t`${translate(problem.group)}:`} </span>}
                <Words problem={problem} />
              </li>
            ))
          ),
        )}
      </ul>
      {children}
    </div>
  );
}

const keyOf = ({ href, field, text }: Problem) => `${href ?? ''} ${field ?? ''} ${text.id}`;

/** Problems one after the other of the same group are under its name, which is said once. */
function runsOf(problems: readonly Problem[]): [Problem, ...Problem[]][] {
  const runs: [Problem, ...Problem[]][] = [];
  for (const problem of problems) {
    const run = runs.at(-1);
    if (run && problem.group && run[0].group === problem.group) run.push(problem);
    else runs.push([problem]);
  }
  return runs;
}

function Words({ problem: { text, label, field, href, actions } }: { problem: Problem }) {
  return (
    <>
      {field || href ? (
        <a href={href ?? `#${field}`} onClick={(event) => field && !href && focusField(event, field)}>
          {withLabel(text, label, translate)}
        </a>
      ) : (
        withLabel(text, label, translate)
      )}
      {actions && (
        <div className="summary-buttons">
          {actions.map(({ label: words, act }) => (
            <Button key={words.id} onClick={act}>
              {translate(words)}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

function focusField(event: { preventDefault: () => void }, name: string) {
  event.preventDefault();
  focusOn(name);
}

/** Moves the focus to the first control of a field (for a date, to the first invalid part). */
export function focusOn(name: string, within: Node | null = document) {
  const controls = [...document.getElementsByName(name)].filter(
    (control) => control.tagName !== 'META' && within?.contains(control),
  );
  const control =
    controls.find((candidate) => candidate.dataset.faulty === 'true') ?? controls[0] ?? document.getElementById(name);
  control?.closest('details')?.setAttribute('open', ''); // Nothing in a closed one can have the focus.
  control?.closest('.question')?.scrollIntoView({ block: 'center' });
  control?.focus({ preventScroll: Boolean(control.closest('.question')) });
}
