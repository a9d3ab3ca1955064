import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { SelectField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { MasterRow } from '#kit/contract/master.ts';
import { tagApi } from '../contract/tag.ts';

interface Props {
  tag: MasterRow;
  onClose: () => void;
}

/** Merges a tag into another one, with the effects shown before. */
export function MergeTag({ tag, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const query = useRead(tagApi.mergeable, { id: tag.id });
  const name = tag.displayName;
  return (
    <SideDialog title={t`Merge ${name}`} onClose={onClose}>
      {(close) => (
        <QueryBoundary query={query}>
          {(found) =>
            found.tags.length === 0 ? (
              <EmptyState
                message={
                  <Trans>
                    There is no tag to merge with. The other tag must be active and have the same record types and
                    restriction.
                  </Trans>
                }
              />
            ) : (
              <ApiForm
                endpoint={tagApi.merge}
                initial={{ intoId: '' }}
                hiddenValues={{ id: tag.id, version: tag.version }}
                label={t`Merge ${name}`}
                onDone={async () => {
                  close();
                  toast({ kind: 'success', title: t`${name} merged.` });
                }}
                buttons={(isSending) => (
                  <FormButtons isSending={isSending} close={close} words={<Trans>Merge</Trans>} />
                )}
              >
                <SelectField
                  name="intoId"
                  options={found.tags.map((tag) => ({ value: String(tag.id), label: `${tag.group}: ${tag.name}` }))}
                />
                <Meaning name={name} found={found} />
              </ApiForm>
            )
          }
        </QueryBoundary>
      )}
    </SideDialog>
  );
}

/** The effects of a merge, once the other tag is chosen. */
function Meaning({ name, found }: { name: string; found: OutputOf<typeof tagApi.mergeable> }) {
  const { values } = useApiForm();
  const into = found.tags.find(({ id }) => String(id) === String(values.intoId));
  if (!into) return <p className="soft" role="status" />;
  const other = into.name;
  return (
    <p role="status">
      <Plural
        value={found.links}
        _0="No record has this tag."
        one={`# record will be tagged ${other}.`}
        other={`# records will be tagged ${other}.`}
      />{' '}
      {into.alreadyThere > 0 && (
        <Plural
          value={into.alreadyThere}
          one="# of these records already has that tag."
          other="# of these records already have that tag."
        />
      )}{' '}
      <Trans>
        {name} will be removed; searches and imports for {name} will use {other}. This can’t be undone.
      </Trans>
    </p>
  );
}
