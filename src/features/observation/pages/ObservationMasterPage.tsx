import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { observationMasters, rubricMaster, typeMaster } from '../contract/masters.ts';
import { observationPages } from '../contract/pages.ts';
import { rubricApi } from '../contract/rubric.ts';

/** /school-erp/observation/observation-master: types, rubrics, rating scales and follow-up actions. */
export function ObservationMasterPage() {
  return (
    <MastersPage
      page={observationPages[2]}
      above={<Usual />}
      bodies={{
        ...listsOf(observationMasters),
        rubric: <MasterPage master={rubricMaster} extraActions={({ id }) => <OpenRubric id={id} />} />,
      }}
    />
  );
}

function OpenRubric({ id }: { id: number }) {
  const navigate = usePageNavigate();
  return (
    <Menu.Item
      onClick={() => navigate({ to: '/school-erp/observation/rubric/$rubricID', params: { rubricID: String(id) } })}
    >
      <Trans>Open the indicators</Trans>
    </Menu.Item>
  );
}

/** Offers the usual rubrics to a school that has no types. */
function Usual() {
  const { t } = useLingui();
  const toast = useToast();
  const { data } = useRead(typeMaster.api.options, { limit: 1 });
  const usual = useAction(rubricApi.usual);
  if (!data || data.length > 0) return null;
  return (
    <Notice as="section" aria-label={t`Usual rubrics`}>
      <p>
        <Trans>
          Begin with the usual set: two rubrics for students, a walk-through for lessons, their scales, types and
          follow-up actions. Everything can be changed later.
        </Trans>
      </p>
      <Button
        kind="main"
        isBusy={usual.isBusy}
        onClick={async () => {
          if (await usual.run({})) toast({ kind: 'success', title: t`The usual set was added.` });
        }}
      >
        <Trans>Add the usual set</Trans>
      </Button>
      {usual.problem}
    </Notice>
  );
}
