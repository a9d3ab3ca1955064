import { Trans, useLingui } from '@lingui/react/macro';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { type ComponentType, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { setUpApi } from '../contract/set-up.ts';
import { ClassForm } from './ClassForm.tsx';
import styles from './SetUp.module.css';
import { YearForm } from './YearForm.tsx';

const hiddenName = 'setUpHidden';

/** The steps that a form on this page takes. */
const forms: Readonly<Record<string, ComponentType<{ onClose: () => void }>>> = { year: YearForm, classes: ClassForm };

interface Props {
  steps: OutputOf<typeof setUpApi.read>['steps'];
}

/** What a new school enters first, shown until everything is there or it is hidden on this device. */
export function SetUp({ steps }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isHidden = useStored(hiddenName) !== null;
  const [opened, setOpened] = useState<string>();
  const done = steps.filter(({ isDone }) => isDone).length;
  if (isHidden || done === steps.length) return null;

  const next = steps.find(({ isDone }) => !isDone)?.key;
  const Form = opened === undefined ? undefined : forms[opened];
  const hide = () => {
    store(hiddenName, 'yes');
    backToTitle();
    toast({ kind: 'success', title: t`Kept on this device until you sign out.` });
  };
  return (
    <section className={styles.setUp} aria-labelledby="set-up-title">
      <span className={styles.head}>
        <h2 id="set-up-title">
          <Trans>Set up your school</Trans>
        </h2>
        <progress value={done} max={steps.length} aria-label={t`Setup progress`} />
        <span className="soft">
          <Trans>
            {done} of {steps.length} steps done
          </Trans>
        </span>
      </span>
      <ol>
        {steps.map(({ key, isDone, title, found, missing, to, act }) => (
          <li key={key} data-done={isDone || undefined}>
            {isDone ? (
              <IconCircleCheck size={20} aria-label={t`Done`} />
            ) : (
              <IconCircle size={20} aria-label={t`Open`} />
            )}
            <span className={styles.words}>
              {isDone ? (
                <ServedLink to={`/school-erp/${to}`}>{translate(title)}</ServedLink>
              ) : (
                <strong>{translate(title)}</strong>
              )}{' '}
              <span className="soft">{translate(found)}</span>
              {!isDone && <span className={styles.missing}>{translate(missing)}</span>}
            </span>
            {!isDone &&
              (key in forms ? (
                <Button kind={key === next ? 'main' : 'plain'} onClick={() => setOpened(key)}>
                  {translate(act)}
                </Button>
              ) : (
                <ServedButton kind={key === next ? 'main' : 'plain'} to={`/school-erp/${to}`}>
                  {translate(act)}
                </ServedButton>
              ))}
          </li>
        ))}
      </ol>
      <Button kind="quiet" edge="start" onClick={hide}>
        <Trans>Hide these steps</Trans>
      </Button>
      {Form && <Form onClose={() => setOpened(undefined)} />}
    </section>
  );
}
