import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { Row, Rows } from '#kit/browser/form/choices.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import type { StudentHead } from '../contract/record.ts';
import { studentTagApi } from '../contract/tags.ts';

interface Choice {
  id: number;
  name: string;
  group: string;
}

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
          <Choices tags={[...tags.filter((tag) => !offered.some((one) => one.id === tag.id)), ...offered]} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Tags</Trans>} actions={edit}>
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

function Choices({ tags }: { tags: readonly Choice[] }) {
  const { values, change } = useApiForm();
  const chosen = values.tags as number[];
  return [...Map.groupBy(tags, ({ group }) => group)].map(([group, own]) => (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset brings a border.
    <div key={group} className="question" role="group" aria-label={group}>
      <strong>{group}</strong>
      <Rows columns="many">
        {own.map(({ id, name }) => (
          <Row
            key={id}
            type="checkbox"
            id={`tags-${id}`}
            name="tags"
            label={name}
            checked={chosen.includes(id)}
            onChange={(isTicked) => change('tags', isTicked ? [...chosen, id] : chosen.filter((one) => one !== id))}
          />
        ))}
      </Rows>
    </div>
  ));
}
