import { Trans, useLingui } from '@lingui/react/macro';
import { ButtonLink } from '#kit/browser/ui/Button.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { Correction } from '../contract/correction.ts';
import { formPaths } from '../contract/pages.ts';
import { isPathOpen } from './open-steps.ts';
import styles from './Steps.module.css';
import { isChange, plainSearch } from './way-back.ts';

/** What the five steps are called. */
export function useStepNames() {
  const { t } = useLingui();
  return [t`Child`, t`Family`, t`Health`, t`Contacts`, t`Documents and submit`];
}

interface Props {
  /** 1 to 5. */
  step: number;
  /** The form's title, said here where the heading is the step's name. */
  title: string | undefined;
  saved: readonly number[];
  correction: Correction | null;
}

/** Where the reader is, and the way to every other open step; those that are saved have a tick. */
export function Steps({ step, title, saved, correction }: Props) {
  const { t } = useLingui();
  const names = useStepNames();
  return (
    <nav className={styles.steps} aria-label={t`Steps`}>
      <p>
        {title ? (
          <Trans>
            {title} · Step {step} of 5
          </Trans>
        ) : (
          <Trans>
            Step {step} of 5 · <b>{names[step - 1]}</b>
          </Trans>
        )}
      </p>
      <ol>
        {names.map((name, index) => {
          const number = index + 1;
          const path = formPaths[index] ?? formPaths[0];
          const isClosed = !isPathOpen(correction, path);
          const isSaved = isClosed || saved.includes(number);
          const words = <span className={styles.name}>{name}</span>;
          return (
            <li key={name} data-is={number === step ? 'now' : isSaved ? 'saved' : undefined} data-saved={isSaved}>
              {number === step ? (
                <span className={styles.step} aria-current="step">
                  {words}
                </span>
              ) : isClosed ? (
                <span className={styles.step}>{words}</span>
              ) : (
                <PageLink to={path} search={plainSearch} className={styles.step}>
                  {words}
                </PageLink>
              )}
              {isSaved && <VisuallyHidden>{isClosed ? <Trans>Submitted</Trans> : <Trans>Saved</Trans>}</VisuallyHidden>}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}

/** For a family that comes back to the first page: straight on to the first step that is not saved. */
export function ContinueButton({ saved }: { saved: readonly number[] }) {
  const names = useStepNames();
  const next = [1, 2, 3, 4].find((step) => !saved.includes(step)) ?? 5;
  if (next === 1 || isChange(window.location.search)) return null;
  const name = names[next - 1];
  return (
    <ButtonLink kind="main" className={styles.onward} to={formPaths[next - 1] ?? formPaths[0]} search={plainSearch}>
      <Trans>
        Continue at step {next}, {name}
      </Trans>
    </ButtonLink>
  );
}
