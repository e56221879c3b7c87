// The vendors as people know them: a name, one or two letters in place of a logo, and where to get a key.

/** The display of each vendor. Others are shown by their own names. */
const VENDORS = {
  openai: { mark: "O", name: "home.vendor.openai", keys: "https://platform.openai.com/api-keys" },
  anthropic: {
    mark: "A",
    name: "home.vendor.anthropic",
    keys: "https://console.anthropic.com/settings/keys",
  },
  gemini: { mark: "G", name: "home.vendor.gemini", keys: "https://aistudio.google.com/apikey" },
  glm: { mark: "智", name: "home.vendor.glm", keys: "https://open.bigmodel.cn/usercenter/apikeys" },
  zai: { mark: "Z", name: "home.vendor.zai", keys: "https://z.ai/manage-apikey/apikey-list" },
  deepseek: { mark: "DS", name: "home.vendor.deepseek", keys: "https://platform.deepseek.com/api_keys" },
  moonshot: {
    mark: "K",
    name: "home.vendor.moonshot",
    keys: "https://platform.moonshot.cn/console/api-keys",
  },
  qwen: { mark: "千", name: "home.vendor.qwen", keys: "https://bailian.console.aliyun.com/" },
  groq: { mark: "Gq", name: "home.vendor.groq", keys: "https://console.groq.com/keys" },
  mistral: { mark: "M", name: "home.vendor.mistral", keys: "https://console.mistral.ai/api-keys" },
  xai: { mark: "xA", name: "home.vendor.xai", keys: "https://console.x.ai/" },
  siliconflow: {
    mark: "硅",
    name: "home.vendor.siliconflow",
    keys: "https://cloud.siliconflow.cn/account/ak",
  },
  openrouter: { mark: "OR", name: "home.vendor.openrouter", keys: "https://openrouter.ai/settings/keys" },
  ollama: { mark: "Ol", name: "home.vendor.ollama", keys: undefined },
  lmstudio: { mark: "LM", name: "home.vendor.lmstudio", keys: undefined },
  vllm: { mark: "vL", name: "home.vendor.vllm", keys: undefined },
  llamacpp: { mark: "ll", name: "home.vendor.llamacpp", keys: undefined },
} as const;

type Known = keyof typeof VENDORS;

function isKnown(name: string): name is Known {
  return Object.hasOwn(VENDORS, name);
}

/** The display of a vendor, when it is a known one. */
export function vendorNamed(name: string): (typeof VENDORS)[Known] | undefined {
  return isKnown(name) ? VENDORS[name] : undefined;
}

/** The letters of a vendor. */
export function markOf(name: string): string {
  return vendorNamed(name)?.mark ?? name.slice(0, 2).toUpperCase();
}

/** Whether this is a valid provider name: letters, digits, `-`, `_`, `.`; as it stands before `/NAME`. */
export function isProviderName(name: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,49}$/i.test(name);
}
