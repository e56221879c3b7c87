//! A long document is written as several files, each of a few of its parts, so that the pages of only those are in
//! memory. Here the files become one: its pages, one outline, and headers and footers that know how many pages there are.

use lopdf::content::Content;
use lopdf::{Dictionary, Document, Error, Object, ObjectId, Stream, dictionary};

/// The names under which a page finds its header and its footer.
const HEADER: &str = "Header";
const FOOTER: &str = "Footer";

/// The files as one, in their order.
pub(super) struct Merged {
    document: Document,
    pages: Vec<ObjectId>,
    outline: Outline,
}

impl Merged {
    /// A document that begins with this file, whose title, language and times are those of the whole.
    ///
    /// # Errors
    /// When these bytes are no PDF.
    pub(super) fn begin(first: &[u8]) -> Result<Self, Error> {
        let mut document = Document::load_mem(first)?;
        document.max_id = document.objects.keys().map(|id| id.0).max().unwrap_or_default();
        let outline = match document.catalog()?.get(b"Outlines") {
            Ok(root) => Outline::read(&document, root.as_reference()?)?,
            Err(_) => Outline::default(),
        };
        let pages = document.page_iter().collect();
        Ok(Self { document, pages, outline })
    }

    /// Appends the pages of a file. The first entry of its outline stands for the section that the file before it left
    /// unfinished: what is below it belongs there.
    ///
    /// # Errors
    /// When these bytes are no PDF.
    pub(super) fn append(&mut self, next: &[u8]) -> Result<(), Error> {
        let next = self.take_in(next)?;
        self.pages.extend(next.page_iter());
        let outline = next.catalog()?.get(b"Outlines").and_then(Object::as_reference);
        self.document.objects.extend(next.objects);
        if let Ok(root) = outline {
            let more = Outline::read(&self.document, root)?;
            self.outline.continue_with(more);
        }
        Ok(())
    }

    /// Lays the only page of the first file over all pages but the first, and the pages of the others, in their order,
    /// over all; and writes the document.
    ///
    /// # Errors
    /// When these bytes are no PDF.
    pub(super) fn finish(mut self, header: &[u8], footers: Vec<Vec<u8>>) -> Result<Vec<u8>, Error> {
        let header = self.forms(HEADER, header)?;
        let mut over = Vec::new();
        for file in footers {
            over.extend(self.forms(FOOTER, &file)?);
        }
        let root = self.document.new_object_id();
        let before = self.document.add_object(Stream::new(Dictionary::new(), b"q\n".to_vec()));
        let after = |names: &[&str]| {
            let drawn: String = names.iter().map(|name| format!("q /{name} Do Q\n")).collect();
            Object::Stream(Stream::new(Dictionary::new(), format!("\nQ\n{drawn}").into_bytes()))
        };
        let first = self.document.add_object(after(&[FOOTER]));
        let others = self.document.add_object(after(&[HEADER, FOOTER]));
        let pages = std::mem::take(&mut self.pages);
        for (place, (page, footer)) in pages.iter().zip(over).enumerate() {
            let header = header.first().filter(|_| place > 0).map(|header| (HEADER, *header));
            let after = if header.is_some() { others } else { first };
            let forms = header.into_iter().chain([(FOOTER, footer)]);
            self.lay_over(*page, forms, (before, after), root)?;
        }
        let kids: Vec<Object> = pages.iter().map(|page| Object::Reference(*page)).collect();
        let count = kids.len();
        let pages = dictionary! { "Type" => "Pages", "Count" => integer(count), "Kids" => kids };
        self.document.objects.insert(root, Object::Dictionary(pages));
        let outline = std::mem::take(&mut self.outline).write(&mut self.document);
        let catalog = self.document.catalog_mut()?;
        catalog.set("Pages", Object::Reference(root));
        catalog.set("Outlines", Object::Reference(outline));
        self.tell_count(count)?;
        self.document.prune_objects();
        self.document.renumber_objects();
        let mut bytes = Vec::new();
        self.document.save_modern(&mut bytes)?;
        Ok(bytes)
    }

    /// The file, with numbers that the document has not given to its own objects.
    fn take_in(&mut self, file: &[u8]) -> Result<Document, Error> {
        let mut file = Document::load_mem(file)?;
        let by = self.document.max_id;
        let objects = std::mem::take(&mut file.objects);
        for ((number, generation), mut object) in objects {
            shift(&mut object, by);
            file.objects.insert((number + by, generation), object);
        }
        file.trailer.iter_mut().for_each(|(_, object)| shift(object, by));
        let most = file.objects.keys().map(|id| id.0).max();
        self.document.max_id = most.unwrap_or(by);
        Ok(file)
    }

    /// The pages of a file as something that can be drawn on others.
    fn forms(&mut self, name: &str, file: &[u8]) -> Result<Vec<ObjectId>, Error> {
        let file = self.take_in(file)?;
        let pages: Vec<ObjectId> = file.page_iter().collect();
        self.document.objects.extend(file.objects);
        pages.into_iter().map(|page| self.as_form(name, page)).collect()
    }

    /// Its fonts have names that no page has: some programs that take the text out of a PDF know one font of a name on a
    /// page. Its content is short, and not compressed.
    fn as_form(&mut self, name: &str, page: ObjectId) -> Result<ObjectId, Error> {
        let own = |font: &[u8]| [name.as_bytes(), font].concat();
        let page = self.document.get_dictionary(page)?;
        let (area, content) = (page.get(b"MediaBox")?.clone(), page.get(b"Contents")?.as_reference()?);
        let (_, resources) = self.document.dereference(page.get(b"Resources")?)?;
        let mut resources = resources.as_dict()?.clone();
        if let Ok((_, fonts)) = resources.get(b"Font").and_then(|fonts| self.document.dereference(fonts)) {
            let fonts = fonts.as_dict()?.iter().map(|(font, object)| (own(font), object.clone()));
            let fonts: Dictionary = fonts.collect();
            resources.set("Font", fonts);
        }
        let stream = self.document.get_object_mut(content)?.as_stream_mut()?;
        let mut drawing = Content::decode(&stream.get_plain_content()?)?;
        for operation in drawing.operations.iter_mut().filter(|operation| operation.operator == "Tf") {
            if let Some(Object::Name(font)) = operation.operands.first_mut() {
                *font = own(font);
            }
        }
        let kind = dictionary! { "Type" => "XObject", "Subtype" => "Form", "BBox" => area, "Resources" => resources };
        *stream = Stream::new(kind, drawing.encode()?);
        Ok(content)
    }

    /// Has the forms drawn on a page, and puts it below this root of all pages.
    fn lay_over(
        &mut self,
        page: ObjectId,
        forms: impl IntoIterator<Item = (&'static str, ObjectId)>,
        (before, after): (ObjectId, ObjectId),
        parent: ObjectId,
    ) -> Result<(), Error> {
        let found = self.document.get_dictionary(page)?;
        // Pages that look alike share their resources.
        let mut resources = match found.get(b"Resources").and_then(|one| self.document.dereference(one)) {
            Ok((_, resources)) => resources.as_dict()?.clone(),
            Err(_) => Dictionary::new(),
        };
        let mut drawn = match resources.get(b"XObject").and_then(|one| self.document.dereference(one)) {
            Ok((_, drawn)) => drawn.as_dict()?.clone(),
            Err(_) => Dictionary::new(),
        };
        forms.into_iter().for_each(|(name, form)| drawn.set(name, Object::Reference(form)));
        resources.set("XObject", drawn);
        let content = match found.get(b"Contents") {
            Ok(Object::Array(all)) => all.clone(),
            Ok(one) => vec![one.clone()],
            Err(_) => Vec::new(),
        };
        let all = [vec![Object::Reference(before)], content, vec![Object::Reference(after)]].concat();
        let page = self.document.get_dictionary_mut(page)?;
        page.set("Resources", resources);
        page.set("Contents", all);
        page.set("Parent", Object::Reference(parent));
        Ok(())
    }

    /// The number of pages stands in the metadata, too.
    fn tell_count(&mut self, count: usize) -> Result<(), Error> {
        let Ok(metadata) = self.document.catalog()?.get(b"Metadata").and_then(Object::as_reference) else {
            return Ok(());
        };
        let stream = self.document.get_object_mut(metadata)?.as_stream_mut()?;
        let Ok(text) = std::str::from_utf8(&stream.content) else { return Ok(()) };
        let (from, to) = ("<xmpTPg:NPages>", "</xmpTPg:NPages>");
        let told = text.split_once(from).and_then(|(head, rest)| Some((head, rest.split_once(to)?.1)));
        if let Some((head, tail)) = told {
            let text = format!("{head}{from}{count}{to}{tail}");
            stream.set_content(text.into_bytes());
        }
        Ok(())
    }
}

/// The numbers of all objects that this one names are greater by so much.
fn shift(object: &mut Object, by: u32) {
    match object {
        Object::Reference(id) => id.0 += by,
        Object::Array(all) => all.iter_mut().for_each(|one| shift(one, by)),
        Object::Dictionary(all) => all.iter_mut().for_each(|(_, one)| shift(one, by)),
        Object::Stream(stream) => stream.dict.iter_mut().for_each(|(_, one)| shift(one, by)),
        _ => {}
    }
}

fn integer(count: usize) -> Object {
    Object::Integer(i64::try_from(count).unwrap_or(i64::MAX))
}

/// The headings of a document, as a reader shows them beside its pages.
#[derive(Debug, Default)]
struct Outline {
    entries: Vec<Entry>,
}

#[derive(Debug)]
struct Entry {
    /// The entry without its place among others.
    id: ObjectId,
    below: Vec<Entry>,
}

impl Outline {
    fn read(document: &Document, root: ObjectId) -> Result<Self, Error> {
        Ok(Self { entries: below(document, document.get_dictionary(root)?)? })
    }

    fn continue_with(&mut self, more: Self) {
        let mut more = more.entries.into_iter();
        match (self.entries.last_mut(), more.next()) {
            (Some(last), Some(same)) => last.below.extend(same.below),
            (None, Some(first)) => self.entries.push(first),
            (_, None) => {}
        }
        self.entries.extend(more);
    }

    /// Writes the places of all entries, and returns the root.
    fn write(self, document: &mut Document) -> ObjectId {
        let root = document.new_object_id();
        let mut made = dictionary! { "Type" => "Outlines", "Count" => integer(self.entries.len()) };
        link(document, &mut made, root, &self.entries);
        document.objects.insert(root, Object::Dictionary(made));
        root
    }
}

/// The entries below this one, or the root.
fn below(document: &Document, of: &Dictionary) -> Result<Vec<Entry>, Error> {
    let (mut entries, mut next) = (Vec::new(), of.get(b"First").ok());
    while let Some(entry) = next {
        let id = entry.as_reference()?;
        let entry = document.get_dictionary(id)?;
        entries.push(Entry { id, below: below(document, entry)? });
        next = entry.get(b"Next").ok();
    }
    Ok(entries)
}

/// Links the entries with their parent and with each other.
fn link(document: &mut Document, parent: &mut Dictionary, id: ObjectId, entries: &[Entry]) {
    let ends = [("First", entries.first()), ("Last", entries.last())];
    for (name, entry) in ends.into_iter().filter_map(|(name, entry)| Some((name, entry?))) {
        parent.set(name, Object::Reference(entry.id));
    }
    for (place, entry) in entries.iter().enumerate() {
        let Ok(mut made) = document.get_dictionary(entry.id).cloned() else { continue };
        made.set("Parent", Object::Reference(id));
        let beside = [
            ("Prev", place.checked_sub(1).and_then(|before| entries.get(before))),
            ("Next", entries.get(place + 1)),
        ];
        for (name, other) in beside {
            match other {
                Some(other) => made.set(name, Object::Reference(other.id)),
                None => _ = made.remove(name.as_bytes()),
            }
        }
        if !entry.below.is_empty() {
            // Closed, as all entries of these documents: a number of entries that would be seen.
            let count = i64::try_from(entry.below.len()).unwrap_or(i64::MAX);
            made.set("Count", Object::Integer(-count));
            link(document, &mut made, entry.id, &entry.below);
        }
        document.objects.insert(entry.id, Object::Dictionary(made));
    }
}
