import { Trans, useLingui } from '@lingui/react/macro';
import { IconCircle, IconCircleCheck } from '@tabler/icons-react';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { type PageAddress, PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type ChecklistStep, checklistApi, checklistSteps } from '../contract/checklist.ts';
import styles from './Checklist.module.css';

const hiddenName = 'checklistHidden';

interface Props {
  /** One line, which opens. */
  isFolded?: boolean;
}

/** The first steps of a school, shown until all are done or it is hidden on this device. */
export function Checklist({ isFolded = false }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const isHidden = useStored(hiddenName) !== null;
  const { data } = useRead(checklistApi.read, {});
  if (isHidden || !data) return null;
  const done = checklistSteps.filter((step) => data[step]).length;
  const all = checklistSteps.length;
  if (done === all) return null;

  const organizational = '/school-erp/academic/organizational-master';
  const words = {
    profile: { to: organizational, tab: 'school', title: t`School profile`, needs: t`Name, city, phone and email` },
    branch: { to: organizational, tab: 'branch', title: t`Branches`, needs: t`Add at least one` },
    department: { to: organizational, tab: 'department', title: t`Departments`, needs: t`Add at least one` },
    designation: { to: organizational, tab: 'designation', title: t`Designations`, needs: t`Add at least one` },
    calendar: {
      to: '/school-erp/academic/academic-master',
      tab: 'calendar',
      title: t`Calendar`,
      needs: t`Weekly offs and holidays of the current year`,
    },
    numberSeries: {
      to: organizational,
      tab: 'number-series',
      title: t`Number series`,
      needs: t`Check the format before the first number is issued`,
    },
  } as const satisfies Record<ChecklistStep, { to: PageAddress; tab: string; title: string; needs: string }>;
  const hide = () => {
    store(hiddenName, 'yes');
    backToTitle();
    toast({ kind: 'success', title: t`Kept on this device until you sign out.` });
  };
  const steps = (
    <>
      <ul>
        {checklistSteps.map((step) => {
          const { to, tab, title, needs } = words[step];
          return (
            <li key={step} className={data[step] ? styles.done : undefined}>
              {data[step] ? <IconCircleCheck size={20} aria-hidden /> : <IconCircle size={20} aria-hidden />}
              <span>
                <PageLink to={to} search={{ tab }}>
                  {title}
                </PageLink>
                <span className="soft">{data[step] ? <Trans>Done</Trans> : needs}</span>
              </span>
            </li>
          );
        })}
      </ul>
      <Button kind="quiet" edge="start" onClick={hide}>
        <Trans>Hide this checklist</Trans>
      </Button>
    </>
  );
  const head = (
    <span className={styles.head}>
      <h2 id="checklist-title">
        <Trans>Set up your school</Trans>
      </h2>
      <progress value={done} max={all} aria-label={t`Setup progress`} />
      <span className="soft">
        <Trans>
          {done} of {all} steps done
        </Trans>
      </span>
    </span>
  );
  return (
    <section className={styles.checklist} aria-labelledby="checklist-title">
      {isFolded ? (
        <details>
          <summary>{head}</summary>
          {steps}
        </details>
      ) : (
        <>
          {head}
          {steps}
        </>
      )}
    </section>
  );
}
