import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showPercent } from '#kit/contract/money.ts';
import { rubricApi } from '../contract/rubric.ts';
import { type Rating, RatingRows } from './RatingGrid.tsx';
import { RubricForm } from './RubricForm.tsx';

type Rubric = OutputOf<typeof rubricApi.versions>;
type Version = Rubric['versions'][number];

/** /school-erp/observation/rubric/{rubricID}: the versions of a rubric, and its draft. */
export function RubricPage() {
  const { rubricID } = useParams({ strict: false }) as { rubricID: string };
  const { t } = useLingui();
  const rubric = useRead(rubricApi.versions, { id: rubricID });
  return (
    <>
      {rubric.error && !rubric.data && <PageHead title={t`Rubric`} />}
      <QueryBoundary query={rubric}>{(found) => <Versions key={found.id} rubric={found} />}</QueryBoundary>
    </>
  );
}

function Versions({ rubric }: { rubric: Rubric }) {
  const { t } = useLingui();
  const [isEditing, setEditing] = useState(false);
  const [newest] = rubric.versions;
  const draft = rubric.versions.find(({ state }) => state === 'Draft');
  return (
    <>
      <RecordPage
        title={rubric.name}
        about={[translateOption(rubric.forWhom), newest ? `v${newest.number}` : ''].filter(Boolean).join(' · ')}
        back={{ to: '/school-erp/observation/observation-master', title: t`Observation Master` }}
        actions={
          <>
            <Button onClick={() => setEditing(true)}>
              {draft ? <Trans>Edit the draft</Trans> : <Trans>New version</Trans>}
            </Button>
            {draft && <Publish rubricId={rubric.id} draft={draft} />}
          </>
        }
        parts={[
          {
            key: 'versions',
            title: t`Versions`,
            cards:
              rubric.versions.length === 0
                ? [
                    <EmptyState key="none" message={<Trans>This rubric has no indicators yet.</Trans>}>
                      <Button kind="main" onClick={() => setEditing(true)}>
                        <Trans>Add indicators</Trans>
                      </Button>
                    </EmptyState>,
                  ]
                : rubric.versions.map((version) => (
                    <ShownVersion key={version.id} rubricId={rubric.id} version={version} />
                  )),
          },
        ]}
      />
      {isEditing && <RubricForm rubric={rubric} onClose={() => setEditing(false)} />}
    </>
  );
}

function Publish({ rubricId, draft }: { rubricId: number; draft: Version }) {
  const { t } = useLingui();
  const publish = useAction(rubricApi.publish);
  return (
    <>
      <ConfirmButton
        name={t`Publish version ${draft.number}`}
        label={<Trans>Publish</Trans>}
        confirm={<Trans>Publish</Trans>}
        question={
          <Trans>New observations will use version {draft.number}. A published version can’t be changed.</Trans>
        }
        onConfirm={() => void publish.run({ id: rubricId, version: draft.version })}
      />
      {publish.problem}
    </>
  );
}

/** A version as its users will see it; what is clicked in this preview is not saved. */
function ShownVersion({ rubricId, version }: { rubricId: number; version: Version }) {
  const { t } = useLingui();
  const retire = useAction(rubricApi.retire);
  const [ratings, setRatings] = useState<Rating[]>([]);
  const { number, state, publishedAt, domains } = version;
  const weighted = domains.filter(({ weight }) => weight !== null);
  return (
    <RecordCard
      isWide
      title={
        <>
          <Trans>Version {number}</Trans>{' '}
          <Status kind={state === 'Published' ? 'good' : state === 'Draft' ? 'info' : 'plain'}>
            {translateOption(state)}
          </Status>
        </>
      }
      actions={
        state === 'Published' && (
          <ConfirmButton
            name={t`Retire version ${number}`}
            label={<Trans>Retire</Trans>}
            confirm={<Trans>Retire</Trans>}
            question={<Trans>Types of this rubric will no longer be offered. Past observations are kept.</Trans>}
            onConfirm={() => void retire.run({ id: rubricId })}
          />
        )
      }
    >
      {retire.problem}
      {publishedAt && (
        <p className="soft">
          <Trans>Published on {showMoment(publishedAt)}</Trans>
        </p>
      )}
      {weighted.length > 0 && (
        <p className="soft">{weighted.map(({ name, weight }) => `${name} ${showPercent(weight ?? 0)}`).join(' · ')}</p>
      )}
      <RatingRows
        rubric={version}
        ratings={ratings}
        onRate={(indicatorId, levelId) =>
          setRatings([
            ...ratings.filter((one) => one.indicatorId !== indicatorId),
            { indicatorId, levelId, comment: '' },
          ])
        }
      />
    </RecordCard>
  );
}
