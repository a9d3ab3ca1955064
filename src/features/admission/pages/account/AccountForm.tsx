import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconId, IconListCheck, IconReceiptRupee, IconUsers } from '@tabler/icons-react';
import { use, useEffect, useRef } from 'react';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { ApiFormContext } from '#kit/browser/form/form-context.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DoesCard, type DoesLine } from '#kit/browser/ui/DoesCard.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { isRealDate } from '#kit/contract/fields.ts';
import { type Account, accountApi, adultFields } from '../../contract/account.ts';
import { AccountLines } from './AccountLines.tsx';
import styles from './AccountPage.module.css';

interface Props {
  account: Account;
}

/** The account in lines, what its creation will do, and the button; Ctrl+Enter presses it from everywhere. */
export function AccountForm({ account }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(accountApi.create);
  const area = useRef<HTMLDivElement>(null);
  const { id, version, child } = account;
  useEffect(() => {
    const send = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      if ((event.target as Element).closest('dialog')) return;
      event.preventDefault();
      area.current?.querySelector('form')?.requestSubmit();
    };
    window.addEventListener('keydown', send);
    return () => window.removeEventListener('keydown', send);
  }, []);
  return (
    <div ref={area}>
      <ApiForm
        className={styles.form}
        endpoint={accountApi.create}
        label={t`Create the account of ${child}`}
        initial={{
          joinsOn: account.joinsOn,
          sectionId: '',
          houseId: '',
          gender: account.gender,
          middleName: '',
          hasOneName: false,
          udiseUid: account.udiseUid,
          pen: '',
          apaar: '',
          ...Object.fromEntries(Object.keys(adultFields).map((name) => [name, ''])),
          returning: '',
          barred: '',
          restriction: '',
          // The line of the fee plan says so.
          withoutPlan: account.plan.reason !== null,
        }}
        hiddenValues={{ id, version }}
        onDone={(answer, input) => preview.take(input, answer)}
        buttons={(isSending) => <Does account={account} isSending={isSending} />}
      >
        <LinesOfDay account={account} />
      </ApiForm>
      <PreviewDialog
        preview={preview}
        title={t`Create the account of ${child}?`}
        confirm={<Trans>Create</Trans>}
        details={
          <ul className="plan">
            {(preview.shown?.answer.makes ?? []).map((line) => (
              <li key={translate(line)}>{translate(line)}</li>
            ))}
            {(preview.shown?.answer.missing ?? []).map((line) => (
              <li key={translate(line)} className="soft">
                <Trans>Missing: {translate(line)}</Trans>
              </li>
            ))}
          </ul>
        }
        onApplied={({ student }) => {
          const words = [student?.name, t`GR ${student?.grNo ?? ''}`, student?.section].filter(Boolean).join(', ');
          toast({ kind: 'success', title: words });
        }}
      >
        <Trans>This can’t be undone. A child who does not join is marked as leaving.</Trans>
      </PreviewDialog>
    </div>
  );
}

/** The account with the sections and the fee plan of the joining day in the form. */
function useAccountOnDay(account: Account): Account {
  const joinsOn = String(use(ApiFormContext)?.values.joinsOn ?? '');
  const isOther = isRealDate(joinsOn) && joinsOn !== account.joinsOn;
  const { data = account } = useRead(accountApi.read, { id: String(account.id), ...(isOther && { joinsOn }) });
  return data;
}

function LinesOfDay({ account }: Props) {
  const form = use(ApiFormContext);
  const shown = useAccountOnDay(account);
  const withoutPlan = shown.plan.reason !== null;
  // The fee plan follows the day, and so does whether there is one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another day changes it.
  useEffect(() => {
    if (form?.values.withoutPlan !== withoutPlan) form?.change('withoutPlan', withoutPlan);
  }, [withoutPlan]);
  return <AccountLines account={shown} />;
}

interface DoesProps extends Props {
  isSending: boolean;
}

/** What the creation will do, with the button. */
function Does({ account, isSending }: DoesProps) {
  const { t } = useLingui();
  const { nextGrNo, siblings, plan, missing, academicYear, returning } = useAccountOnDay(account);
  const dues = plan.reason ? 0 : plan.dues.length;
  const lines: (DoesLine | false)[] = [
    !returning?.isSure && {
      key: 'number',
      Icon: IconId,
      words: (
        <Trans>
          GR number <strong>{nextGrNo}</strong> is assigned
        </Trans>
      ),
    },
    siblings.length > 0 && {
      key: 'family',
      Icon: IconUsers,
      words: <Trans>Joins the family of {siblings.join(', ')}</Trans>,
    },
    dues > 0 && {
      key: 'dues',
      Icon: IconReceiptRupee,
      words: (
        <Plural value={dues} one={`# due of ${academicYear} is added`} other={`# dues of ${academicYear} are added`} />
      ),
    },
    missing.length > 0 && {
      key: 'missing',
      Icon: IconListCheck,
      words: (
        <Plural
          value={missing.length}
          one="# detail is missing and can be added to the record later"
          other="# details are missing and can be added to the record later"
        />
      ),
    },
  ];
  return (
    <div className={styles.made}>
      <DoesCard
        title={<Trans>New record</Trans>}
        lines={lines.filter((line) => line !== false)}
        foot={<Trans>This can’t be undone. A child who does not join is marked as leaving.</Trans>}
      >
        <div className={styles.act}>
          <Button type="submit" kind="main" isBusy={isSending}>
            <Trans>Create the account…</Trans> <kbd>{t`Ctrl Enter`}</kbd>
          </Button>
        </div>
      </DoesCard>
    </div>
  );
}
