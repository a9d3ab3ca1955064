import { apiForm, errorSummary, leaveGuard } from '#kit/browser/form/ApiForm.gallery.tsx';
import { choicesWithReason } from '#kit/browser/form/ChoicesWithReason.gallery.tsx';
import { radioField, row, rows, tickField, ticksField, yesNoField } from '#kit/browser/form/choices.gallery.tsx';
import { dateField, monthsField } from '#kit/browser/form/dates.gallery.tsx';
import { fieldControl } from '#kit/browser/form/FieldControl.gallery.tsx';
import { passwordField, selectField, textField } from '#kit/browser/form/fields.gallery.tsx';
import { optionField } from '#kit/browser/form/OptionField.gallery.tsx';
import { paletteField } from '#kit/browser/form/PaletteField.gallery.tsx';
import { fold, question } from '#kit/browser/form/question.gallery.tsx';
import { recordForm } from '#kit/browser/form/RecordForm.gallery.tsx';
import { slotPicker } from '#kit/browser/form/SlotPicker.gallery.tsx';
import { uploadField, uploadProgress } from '#kit/browser/form/UploadField.gallery.tsx';
import { bulkAct } from '#kit/browser/list/BulkAct.gallery.tsx';
import { exportItems, exportMenu } from '#kit/browser/list/ExportMenu.gallery.tsx';
import { filterChip, filterOptionChip } from '#kit/browser/list/FilterChip.gallery.tsx';
import { filterOption, filterSearch } from '#kit/browser/list/FilterOption.gallery.tsx';
import { filterChoice, filterDay, filters, filtersButton, searchBox } from '#kit/browser/list/filters.gallery.tsx';
import { listRows, listTable } from '#kit/browser/list/ListTable.gallery.tsx';
import {
  columnsDialog,
  filterPanel,
  listFilters,
  listFoot,
  recordTable,
  saveViewSection,
  selectionBar,
  sortHead,
  viewMenu,
} from '#kit/browser/list/list-parts.gallery.tsx';
import { recordList } from '#kit/browser/list/RecordList.gallery.tsx';
import { rowMenu } from '#kit/browser/list/RowMenu.gallery.tsx';
import { shortcutsDialog } from '#kit/browser/list/ShortcutsDialog.gallery.tsx';
import { removeDialog, shortList } from '#kit/browser/list/ShortList.gallery.tsx';
import { facts, recordCard, shortRows, timeline } from '#kit/browser/record/RecordCard.gallery.tsx';
import { actMenu } from '#kit/browser/ui/ActMenu.gallery.tsx';
import { actRow } from '#kit/browser/ui/ActRow.gallery.tsx';
import { askDialog } from '#kit/browser/ui/AskDialog.gallery.tsx';
import { barRows } from '#kit/browser/ui/BarRows.gallery.tsx';
import { breakableText } from '#kit/browser/ui/BreakableText.gallery.tsx';
import { button, fileButton } from '#kit/browser/ui/Button.gallery.tsx';
import { amountTable, cardTable } from '#kit/browser/ui/CardTable.gallery.tsx';
import { chartSection } from '#kit/browser/ui/Chart.gallery.tsx';
import { alert, chip } from '#kit/browser/ui/Chip.gallery.tsx';
import { combobox } from '#kit/browser/ui/Combobox.gallery.tsx';
import { confirmButton } from '#kit/browser/ui/ConfirmButton.gallery.tsx';
import { confirmProvider } from '#kit/browser/ui/ConfirmProvider.gallery.tsx';
import { dateInput } from '#kit/browser/ui/DateInput.gallery.tsx';
import { dialog } from '#kit/browser/ui/Dialog.gallery.tsx';
import { doesCard } from '#kit/browser/ui/DoesCard.gallery.tsx';
import { emptyState } from '#kit/browser/ui/EmptyState.gallery.tsx';
import { figureLine } from '#kit/browser/ui/FigureLine.gallery.tsx';
import { gridSheet } from '#kit/browser/ui/GridSheet.gallery.tsx';
import { historyButton, historyDialog } from '#kit/browser/ui/HistoryDialog.gallery.tsx';
import { iconButton } from '#kit/browser/ui/IconButton.gallery.tsx';
import { initials } from '#kit/browser/ui/Initials.gallery.tsx';
import { layout } from '#kit/browser/ui/Layout.gallery.tsx';
import { meter } from '#kit/browser/ui/Meter.gallery.tsx';
import { notice, visuallyHidden } from '#kit/browser/ui/Notice.gallery.tsx';
import { addressTabs, pageLink, searchLink, tabs } from '#kit/browser/ui/PageLink.gallery.tsx';
import { personRow } from '#kit/browser/ui/PersonRow.gallery.tsx';
import { phoneLink } from '#kit/browser/ui/PhoneLink.gallery.tsx';
import { previewDialog } from '#kit/browser/ui/PreviewDialog.gallery.tsx';
import { progressBar } from '#kit/browser/ui/ProgressBar.gallery.tsx';
import { qrCode } from '#kit/browser/ui/QrCode.gallery.tsx';
import { reach } from '#kit/browser/ui/Reach.gallery.tsx';
import { reportFrame } from '#kit/browser/ui/ReportFrame.gallery.tsx';
import { scrollFrame } from '#kit/browser/ui/ScrollFrame.gallery.tsx';
import { segmentsSection } from '#kit/browser/ui/Segments.gallery.tsx';
import { shortcutList } from '#kit/browser/ui/ShortcutList.gallery.tsx';
import { sideDialog } from '#kit/browser/ui/SideDialog.gallery.tsx';
import { stageStrip } from '#kit/browser/ui/StageStrip.gallery.tsx';
import { status } from '#kit/browser/ui/Status.gallery.tsx';
import { steps } from '#kit/browser/ui/Steps.gallery.tsx';
import { story } from '#kit/browser/ui/Story.gallery.tsx';
import { stripSection } from '#kit/browser/ui/Strip.gallery.tsx';
import { swatch } from '#kit/browser/ui/Swatch.gallery.tsx';
import { twoVersions } from '#kit/browser/ui/TwoVersions.gallery.tsx';
import { toast } from '#kit/browser/ui/toast.gallery.tsx';
import type { Section } from './section.tsx';

/** Every section of the gallery, in its order. */
export const sections: readonly Section[] = [
  layout,
  button,
  iconButton,
  chip,
  alert,
  status,
  meter,
  progressBar,
  steps,
  segmentsSection,
  stageStrip,
  story,
  actMenu,
  barRows,
  figureLine,
  personRow,
  doesCard,
  stripSection,
  chartSection,
  swatch,
  initials,
  combobox,
  dateInput,
  fileButton,
  notice,
  visuallyHidden,
  pageLink,
  searchLink,
  tabs,
  addressTabs,
  phoneLink,
  reach,
  breakableText,
  emptyState,
  actRow,
  amountTable,
  cardTable,
  listTable,
  listRows,
  gridSheet,
  reportFrame,
  scrollFrame,
  toast,
  dialog,
  askDialog,
  confirmButton,
  confirmProvider,
  previewDialog,
  sideDialog,
  shortcutList,
  qrCode,
  historyButton,
  historyDialog,
  timeline,
  facts,
  recordCard,
  shortRows,
  twoVersions,
  apiForm,
  recordForm,
  errorSummary,
  bulkAct,
  leaveGuard,
  fold,
  slotPicker,
  question,
  textField,
  passwordField,
  selectField,
  dateField,
  monthsField,
  optionField,
  fieldControl,
  paletteField,
  radioField,
  yesNoField,
  tickField,
  ticksField,
  row,
  rows,
  choicesWithReason,
  uploadField,
  uploadProgress,
  filters,
  filtersButton,
  searchBox,
  filterChoice,
  filterOption,
  filterSearch,
  filterDay,
  filterChip,
  filterOptionChip,
  rowMenu,
  shortList,
  removeDialog,
  shortcutsDialog,
  exportMenu,
  exportItems,
  listFilters,
  filterPanel,
  sortHead,
  listFoot,
  columnsDialog,
  selectionBar,
  viewMenu,
  saveViewSection,
  recordTable,
  recordList,
];
