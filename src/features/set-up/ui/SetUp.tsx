import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconCircle, IconCircleCheck, IconCircleMinus } from '@tabler/icons-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translate } from '#kit/browser/text.ts';
import { Button, ServedButton } from '#kit/browser/ui/Button.tsx';
import { takeLostFocus } from '#kit/browser/ui/focus.ts';
import { Box, List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { ProgressBar } from '#kit/browser/ui/ProgressBar.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { setUpApi } from '../contract/set-up.ts';
import { AccountForm } from './AccountForm.tsx';
import { CalendarForm } from './CalendarForm.tsx';
import { ClassForm } from './ClassForm.tsx';
import styles from './SetUp.module.css';
import { YearForm } from './YearForm.tsx';

const hiddenName = 'setUpHidden';

/** The steps that a form on this page takes. */
const forms: Readonly<Record<string, ComponentType<{ onClose: () => void }>>> = {
  year: YearForm,
  classes: ClassForm,
  calendar: CalendarForm,
  accounts: AccountForm,
};

/** The steps that a school takes more than once, such as for classes with another number of sections. */
const repeated: ReadonlySet<string> = new Set(['classes', 'accounts']);

type Step = OutputOf<typeof setUpApi.read>['steps'][number];

interface Props {
  steps: readonly Step[];
}

/** What a new school enters first, until every step is done or skipped, or it is hidden on this device. */
export function SetUp({ steps }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isHidden = useStored(hiddenName) !== null;
  const [opened, setOpened] = useState<string>();
  const done = steps.filter(({ isDone }) => isDone).length;
  const skipped = steps.filter(({ isSkipped }) => isSkipped);
  const section = useRef<HTMLElement>(null);
  const seen = useRef(done);
  // A step that is done loses its button: the next step has the focus then.
  useEffect(() => {
    if (opened !== undefined || done <= seen.current) return;
    seen.current = done;
    takeLostFocus(section.current?.querySelector<HTMLElement>('[data-next] :is(button, a)') ?? null);
  }, [done, opened]);
  if (isHidden || done === steps.length) return null;

  const next = steps.find(({ isDone, isSkipped }) => !isDone && !isSkipped)?.key;
  const Form = opened === undefined ? undefined : forms[opened];
  const form = Form && <Form onClose={() => setOpened(undefined)} />;
  if (next === undefined)
    return (
      <>
        <details className={styles.rest}>
          <summary>
            <Plural value={skipped.length} one="# skipped setup step" other="# skipped setup steps" />
          </summary>
          <List as="ol" mt={8} mb={8} className={styles.steps}>
            {skipped.map((step) => (
              <SetUpStep key={step.key} step={step} isNext={false} onOpen={setOpened} />
            ))}
          </List>
        </details>
        {form}
      </>
    );

  const hide = () => {
    store(hiddenName, 'yes');
    backToTitle();
    toast({ kind: 'success', title: t`Hidden on this device until you sign out.` });
  };
  return (
    <Box as="section" mt={16} mb={16} framed ref={section} className={styles.setUp} aria-labelledby="set-up-title">
      <Row as="span" gap="4 12" align="center" wrap className={styles.head}>
        <Text as="h2" size={16} id="set-up-title">
          <Trans>Set up your school</Trans>
        </Text>
        <ProgressBar value={done} max={steps.length} aria-label={t`Setup progress`} />
        <span className="soft">
          <Trans>
            {done} of {steps.length} steps done
          </Trans>
        </span>
      </Row>
      <List as="ol" mt={8} mb={8} className={styles.steps}>
        {steps.map((step) => (
          <SetUpStep key={step.key} step={step} isNext={step.key === next} onOpen={setOpened} />
        ))}
      </List>
      <Button kind="quiet" edge="start" onClick={hide}>
        <Trans>Hide these steps</Trans>
      </Button>
      {form}
    </Box>
  );
}

interface StepProps {
  step: Step;
  /** The first step that is neither done nor skipped. */
  isNext: boolean;
  onOpen: (key: string) => void;
}

function SetUpStep({ step, isNext, onOpen }: StepProps) {
  const { t } = useLingui();
  const skip = useAction(setUpApi.skip);
  const { key, isDone, isSkipped, found, missing, to, act } = step;
  const title = translate(step.title);
  const kind = isNext ? 'main' : 'plain';
  return (
    <Row as="li" gap={12} align="center" data-done={isDone || isSkipped || undefined} data-next={isNext || undefined}>
      <StepIcon step={step} />
      <Text as="span" grow className={styles.words}>
        {isDone ? <ServedLink to={`/school-erp/${to}`}>{title}</ServedLink> : <strong>{title}</strong>}{' '}
        <span className="soft">{isSkipped ? <Trans>Skipped</Trans> : translate(found)}</span>
        {!isDone && !isSkipped && (
          <Text as="span" block>
            {translate(missing)}
          </Text>
        )}
        {skip.problem}
      </Text>
      {isDone && repeated.has(key) && (
        <Row as="span" gap={4} align="center" fixed className={styles.acts}>
          <Button kind="quiet" aria-label={t`Add more: ${title}`} onClick={() => onOpen(key)}>
            <Trans>Add more</Trans>
          </Button>
        </Row>
      )}
      {!isDone && (
        <Row as="span" gap={4} align="center" fixed className={styles.acts}>
          {!isSkipped &&
            (key in forms ? (
              <Button kind={kind} onClick={() => onOpen(key)}>
                {translate(act)}
              </Button>
            ) : (
              <ServedButton kind={kind} to={`/school-erp/${to}`}>
                {translate(act)}
              </ServedButton>
            ))}
          <Button
            kind="quiet"
            isBusy={skip.isBusy}
            aria-label={isSkipped ? t`Resume “${title}”` : t`Skip “${title}”`}
            onClick={() => void skip.run({ key, isSkipped: !isSkipped })}
          >
            {isSkipped ? <Trans>Resume</Trans> : <Trans>Skip</Trans>}
          </Button>
        </Row>
      )}
    </Row>
  );
}

function StepIcon({ step: { isDone, isSkipped } }: { step: Step }) {
  const { t } = useLingui();
  if (isDone) return <IconCircleCheck size={20} aria-label={t`Done`} />;
  if (isSkipped) return <IconCircleMinus size={20} aria-label={t`Skipped`} />;
  return <IconCircle size={20} aria-label={t`Open`} />;
}
