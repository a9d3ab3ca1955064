import { Trans, useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useRef, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import type { CertificateWord } from '../contract/certificate.ts';
import { certificateApi } from '../contract/certificate.ts';
import { correctResultApi } from '../contract/correct-result.ts';
import { correctionApi } from '../contract/correction.ts';
import { leavingApi } from '../contract/leaving.ts';
import { mergeApi } from '../contract/merge.ts';
import type { StudentHead } from '../contract/record.ts';
import { studentSectionApi } from '../contract/student-section.ts';

const IssueCertificate = lazy(async () => ({ default: (await import('./IssueCertificate.tsx')).IssueCertificate }));
const CorrectEntry = lazy(async () => ({ default: (await import('./CorrectEntry.tsx')).CorrectEntry }));
const RemoveStudent = lazy(async () => ({ default: (await import('./RemoveStudent.tsx')).RemoveStudent }));
const ChangeRoll = lazy(async () => ({ default: (await import('./ChangeRoll.tsx')).ChangeRoll }));
const CorrectResult = lazy(async () => ({ default: (await import('../ui/CorrectResult.tsx')).CorrectResult }));
const Leave = lazy(async () => ({ default: (await import('./LeavingCard.tsx')).Leave }));
const VerifyWaiting = lazy(async () => ({ default: (await import('./DocumentsCard.tsx')).VerifyWaiting }));
const ChangeSection = lazy(async () => ({ default: (await import('./ChangeSection.tsx')).ChangeSection }));

/** An act of the record, by its key in the address: search opens the record with it. */
interface Act {
  key: string;
  group: 'class' | 'papers' | 'register' | 'end';
  label: ReactNode;
  /** False for those who may not do it. */
  isShown: boolean;
  dialog: (close: () => void) => ReactNode;
}

/** What can be done with a student: the first thing that the record asks for, and all others in a menu. */
export function StudentActs({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const { address, go } = useListAddress();
  const [opened, setOpened] = useState<string>();
  const button = useRef<HTMLButtonElement>(null);
  const mayIssue = useMay(certificateApi.make);
  const mayCorrect = useMay(correctionApi.correct);
  const mayCorrectResult = useMay(correctResultApi.correct);
  const mayMerge = useMay(mergeApi.merge);
  const mayLeave = useMay(leavingApi.leave) && head.may.change;
  const mayMove = useMay(studentSectionApi.move) && head.may.change;
  const { id, name, status } = head;
  const issue = (kind?: CertificateWord) => (close: () => void) => (
    <IssueCertificate id={id} name={name} kind={kind} onClose={close} />
  );
  const acts: Act[] = [
    {
      key: 'section',
      group: 'class',
      label: <Trans>Change section…</Trans>,
      isShown: mayMove && status !== 'Left',
      dialog: (close) => <ChangeSection head={head} onClose={close} />,
    },
    {
      key: 'roll',
      group: 'class',
      label: <Trans>Roll number…</Trans>,
      isShown: mayMove && head.section !== '' && status !== 'Left',
      dialog: (close) => <ChangeRoll head={head} onClose={close} />,
    },
    {
      key: 'result',
      group: 'class',
      label: <Trans>Correct a result…</Trans>,
      isShown: mayCorrectResult && status !== 'Left',
      dialog: (close) => <CorrectResult head={head} onClose={close} />,
    },
    {
      key: 'verify',
      group: 'papers',
      label: <Trans>Verify {head.toVerify}…</Trans>,
      isShown: head.toVerify !== '',
      dialog: (close) => <VerifyWaiting head={head} onClose={close} />,
    },
    { key: 'certificate', group: 'papers', label: <Trans>Certificate…</Trans>, isShown: mayIssue, dialog: issue() },
    {
      key: 'leaving-certificate',
      group: 'papers',
      label: <Trans>Leaving certificate…</Trans>,
      isShown: mayIssue && head.leftOn !== '',
      dialog: issue('Leaving'),
    },
    {
      key: 'correct',
      group: 'register',
      label: <Trans>Correct a register entry…</Trans>,
      isShown: mayCorrect,
      dialog: (close) => <CorrectEntry head={head} onClose={close} />,
    },
    {
      key: 'leave',
      group: 'end',
      label: <Trans>Leave…</Trans>,
      isShown: mayLeave && head.leftOn === '',
      dialog: (close) => <Leave head={head} onClose={close} />,
    },
    {
      key: 'remove',
      group: 'end',
      label: <Trans>Remove (entered by mistake)…</Trans>,
      isShown: head.may.change,
      dialog: (close) => <RemoveStudent head={head} onClose={close} />,
    },
  ];
  const shown = acts.filter(({ isShown }) => isShown);
  const asked = opened ?? address.act;
  const close = () => {
    setOpened(undefined);
    if (address.act) go({ ...address, act: '' });
  };
  // Without a last day search leads here too; the dialog says what comes first.
  const open =
    // The act itself may be what ends it.
    acts.find(({ key, isShown }) => key === asked && (isShown || key === opened)) ??
    acts.find(({ key }) => key === asked && mayIssue && key === 'leaving-certificate');
  if (shown.length === 0) return null;
  const first =
    head.section === '' && status !== 'Left' && mayMove
      ? 'section'
      : status === 'Left' && mayIssue
        ? 'leaving-certificate'
        : head.toVerify
          ? 'verify'
          : undefined;
  const firstWords = {
    section: <Trans>Assign a section…</Trans>,
    'leaving-certificate': <Trans>Leaving certificate…</Trans>,
    verify: <Trans>Verify {head.toVerify}…</Trans>,
  };
  const groups = { class: t`Class`, papers: t`Documents`, register: t`Register`, end: t`End` };
  return (
    <>
      {first && (
        <Button kind="main" onClick={() => setOpened(first)}>
          {firstWords[first]}
        </Button>
      )}
      <Menu
        button={
          <IconButton ref={button} label={t`More for ${name}`} data-act-menu>
            <IconDots size={20} aria-hidden />
          </IconButton>
        }
      >
        {(Object.keys(groups) as (keyof typeof groups)[]).map((group) => {
          const own = shown.filter((act) => act.group === group);
          if (own.length === 0) return null;
          return [
            <Menu.Label key={group}>{groups[group]}</Menu.Label>,
            ...own.map(({ key, label }) => (
              <Menu.Item
                key={key}
                onClick={() => {
                  button.current?.focus();
                  setOpened(key);
                }}
              >
                {label}
              </Menu.Item>
            )),
            group === 'papers' && mayIssue && (
              <Menu.Item
                key="all"
                renderRoot={(props) => (
                  <PageLink
                    to="/school-erp/student/student-list/$studentID"
                    params={{ studentID: String(id) }}
                    search={{ part: 'papers' }}
                    {...props}
                  />
                )}
              >
                <Trans>All certificates</Trans>
              </Menu.Item>
            ),
          ];
        })}
        {mayMerge && (
          <Menu.Item
            renderRoot={(props) => (
              <PageLink
                to="/school-erp/student/student-list/$studentID/merge"
                params={{ studentID: String(id) }}
                {...props}
              />
            )}
          >
            <Trans>Merge with another record…</Trans>
          </Menu.Item>
        )}
      </Menu>
      <Suspense fallback={null}>{open?.dialog(close)}</Suspense>
    </>
  );
}
