import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import type { InquiryRecord } from '../contract/inquiry.ts';
import { siblingApi } from '../contract/sibling.ts';
import styles from './InquiryPage.module.css';
import { InquiryStateChip } from './InquiryState.tsx';

interface Props {
  record: InquiryRecord;
}

/** Inquiries of the same parents, and which of them fills in the family's details. */
export function SiblingCard({ record: { id, version, submittedAt, may } }: Props) {
  const { t } = useLingui();
  const siblings = useRead(siblingApi.list, { id });
  const link = useAction(siblingApi.link);
  const rows = siblings.data?.rows ?? [];
  if (rows.length === 0) return null;
  return (
    <RecordCard title={<Trans>Brothers and sisters</Trans>}>
      <ul className={styles.contacts}>
        {rows.map(({ id: siblingId, inquiryNo, child, grade, academicYear, state, isLinked, isSubmitted }) => (
          <li key={siblingId}>
            <p>
              <PageLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(siblingId) }}>
                {child}
              </PageLink>{' '}
              <span className="soft">{[inquiryNo, grade, academicYear].join(' · ')}</span>{' '}
              <InquiryStateChip state={state} />
            </p>
            {isLinked && (
              <p className="soft">
                {siblings.data?.isUsed ? (
                  <Trans>The family has filled in its details from this form.</Trans>
                ) : isSubmitted ? (
                  <Trans>The family may fill in its details from this form, after a code.</Trans>
                ) : (
                  <Trans>The family may fill in its details from this form once it is submitted.</Trans>
                )}
              </p>
            )}
            {may.linkSibling && !submittedAt && (
              <Button
                isBusy={link.isBusy}
                aria-label={isLinked ? t`End the link to ${child}` : t`Link ${child}`}
                onClick={() => void link.run({ id, version, siblingId: isLinked ? null : siblingId })}
              >
                {isLinked ? <Trans>End the link</Trans> : <Trans>Link as brother or sister</Trans>}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {link.problem}
    </RecordCard>
  );
}
