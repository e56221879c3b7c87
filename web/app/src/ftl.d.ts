declare module "*.ftl" {
  const messages: import("./i18n/catalogue").Catalogue;
  export default messages;
}
