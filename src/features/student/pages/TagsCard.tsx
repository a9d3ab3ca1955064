import { Trans, useLingui } from '@lingui/react/macro';
import { GroupedTicks } from '#features/tag/ui/GroupedTicks.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import type { StudentHead } from '../contract/record.ts';
import { studentTagApi } from '../contract/tags.ts';

/** The tags of a student. */
export function TagsCard({ head: { id } }: { head: StudentHead }) {
  const { t } = useLingui();
  const query = useRead(studentTagApi.tags, { id });
  const { tags = [], offered = [] } = query.data ?? {};
  const before = tags.map((tag) => tag.id);
  const edit = offered.length > 0 && (
    <FormOpener title={t`Edit the tags`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit the tags`}
          endpoint={studentTagApi.saveTags}
          initial={{ tags: before }}
          hiddenValues={{ id, before }}
          onClose={onClose}
        >
          <GroupedTicks
            name="tags"
            options={[...tags.filter((tag) => !offered.some((one) => one.id === tag.id)), ...offered]}
          />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard isEmpty={query.data?.tags.length === 0} title={<Trans>Tags</Trans>} actions={edit}>
      <QueryBoundary query={query}>
        {(found) =>
          found.tags.length === 0 ? (
            <EmptyState message={<Trans>No tags yet.</Trans>} />
          ) : (
            <p>
              {found.tags.map(({ id, name }) => (
                <span key={id}>
                  <Chip>{name}</Chip>{' '}
                </span>
              ))}
            </p>
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}
