//! Sections on disk, by what they were made from, so that the next run need not analyse the same texts again.
//!
//! A file that is damaged, or that another version wrote, is as good as none. The form, little-endian: `ATSX`, u32
//! version, 32 bytes checksum of the rest; then 32 bytes of what it was made from, and the parts of the section, each
//! with its length in front.

use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{
    document::{Document, Server},
    fields::FIELDS,
    section::{Posting, Section},
    vectors::{Embeddings, WordVectors},
};
use crate::{catalog::cache::Room, private_file::write_whole};

const MAGIC: [u8; 4] = *b"ATSX";
/// Grows when the form changes, and when the same texts are analysed another way.
const VERSION: u32 = 1;
/// What is kept in all. A section of 100 tools takes about 100 KB.
const ROOM: Room = Room {
    max_files: 1000,
    max_bytes: 64 * 1024 * 1024,
};

/// Where sections are kept. Nothing about it ever fails a caller.
#[derive(Debug)]
pub struct SectionStore {
    folder: PathBuf,
}

/// What a section is made from, hashed: every text, and the tables that it is analysed by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Key([u8; 32]);

impl SectionStore {
    /// The sections below the folder `cache_dir`, which is made when one is first kept.
    pub fn below(cache_dir: &Path) -> Self {
        Self {
            folder: cache_dir.join("search"),
        }
    }

    /// The section of these documents: the one that is kept, or a new one, which is kept then.
    pub fn section(&self, server: &Server, documents: &[Document]) -> Section {
        let key = Key::of(server, documents);
        let path = self.folder.join(format!("{}.index", key.name()));
        if let Some(section) = read(&path, key, documents.len()) {
            return section;
        }
        let section = Section::build(server, documents);
        if let Err(error) = write_whole(&self.folder, &path, &bytes(&section, key)) {
            tracing::debug!(%error, "what a search needs could not be kept");
        } else {
            ROOM.make(&self.folder);
        }
        section
    }
}

impl Key {
    fn of(server: &Server, documents: &[Document]) -> Self {
        let mut hash = Sha256::new();
        hash.update(WordVectors::fingerprint());
        let mut add = |text: &str| {
            // With its length, so that no two lists of texts look alike.
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text);
        };
        add(&server.name);
        add(&server.text);
        for document in documents {
            for text in [&document.name, &document.title, &document.description] {
                add(text);
            }
            for list in [&document.parameters, &document.parameter_texts] {
                add(&list.len().to_string());
                list.iter().for_each(|text| add(text));
            }
        }
        Self(hash.finalize().into())
    }

    fn name(self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

fn bytes(section: &Section, key: Key) -> Vec<u8> {
    let mut body = Writer(key.0.to_vec());
    body.text(&section.server);
    body.number(section.names.len());
    for (name, parts) in &section.names {
        body.text(name);
        body.0.push(*parts);
    }
    body.number(section.terms.len());
    for ((term, shown), end) in section.terms.iter().zip(&section.ends) {
        body.text(term);
        body.text(shown);
        body.0.extend(end.to_le_bytes());
    }
    body.number(section.postings.len());
    for posting in &section.postings {
        body.0.extend(posting.entry.to_le_bytes());
        body.0.extend(posting.counts);
    }
    body.number(section.lengths.len());
    for length in section.lengths.iter().flatten() {
        body.0.extend(length.to_le_bytes());
    }
    body.number(section.embeddings.scales.len());
    for scale in &section.embeddings.scales {
        body.0.extend(scale.to_le_bytes());
    }
    body.number(section.embeddings.values.len());
    let values = section.embeddings.values.iter();
    body.0.extend(values.map(|value| value.cast_unsigned()));

    let mut file = MAGIC.to_vec();
    file.extend(VERSION.to_le_bytes());
    file.extend(Sha256::digest(&body.0));
    file.extend(body.0);
    file
}

/// The section, if the file is whole and made from the same.
fn read(path: &Path, key: Key, documents: usize) -> Option<Section> {
    let file = std::fs::read(path).ok()?;
    let mut header = Reader(&file);
    if header.array()? != MAGIC || u32::from_le_bytes(header.array()?) != VERSION {
        return None;
    }
    let checksum: [u8; 32] = header.array()?;
    let mut body = Reader(header.0);
    if checksum[..] != Sha256::digest(body.0)[..] || body.array()? != key.0 {
        return None;
    }
    let section = body.section()?;
    (section.len() == documents && section.is_sound()).then_some(section)
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: usize) {
        self.0
            .extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len());
        self.0.extend(text.as_bytes());
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*array)
    }

    fn number(&mut self) -> Option<usize> {
        Some(u32::from_le_bytes(self.array()?) as usize)
    }

    fn take(&mut self, length: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn text(&mut self) -> Option<Box<str>> {
        let length = self.number()?;
        Some(std::str::from_utf8(self.take(length)?).ok()?.into())
    }

    fn list<T>(&mut self, read: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.number()?;
        (0..length).map(|_| read(self)).collect()
    }

    fn section(&mut self) -> Option<Section> {
        let server = self.text()?.into();
        let names = self.list(|reader| Some((reader.text()?, reader.array::<1>()?[0])))?;
        let terms = self.list(|reader| {
            let term = (reader.text()?, reader.text()?);
            Some((term, u32::from_le_bytes(reader.array()?)))
        })?;
        let (terms, ends) = terms.into_iter().unzip();
        let postings = self.list(|reader| {
            Some(Posting {
                entry: u32::from_le_bytes(reader.array()?),
                counts: reader.array()?,
            })
        })?;
        let lengths = self.list(|reader| {
            let mut lengths = [0; FIELDS];
            for length in &mut lengths {
                *length = u16::from_le_bytes(reader.array()?);
            }
            Some(lengths)
        })?;
        let scales = self.list(|reader| Some(f32::from_le_bytes(reader.array()?)))?;
        let length = self.number()?;
        let values = self.take(length)?.iter().map(|value| value.cast_signed());
        Some(Section {
            server,
            names,
            terms,
            ends,
            postings,
            lengths,
            embeddings: Embeddings {
                scales,
                values: values.collect(),
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn documents() -> Vec<Document> {
        ["create_issue", "list_issues", "añadirNota"]
            .map(|name| Document::new(name, "Something about it", None))
            .to_vec()
    }

    fn server() -> Server {
        Server {
            name: "github".into(),
            text: "Repositories".into(),
        }
    }

    fn only_file(folder: &Path) -> PathBuf {
        let mut files = std::fs::read_dir(folder.join("search")).unwrap();
        let file = files.next().unwrap().unwrap().path();
        assert!(files.next().is_none());
        file
    }

    #[test]
    fn a_section_that_is_kept_is_read_as_it_was() {
        let temp = tempfile::tempdir().unwrap();
        let store = SectionStore::below(temp.path());
        let built = store.section(&server(), &documents());
        assert_eq!(built, Section::build(&server(), &documents()));
        let key = Key::of(&server(), &documents());
        let kept = read(&only_file(temp.path()), key, 3);
        assert_eq!(kept.as_ref(), Some(&built));
        assert_eq!(store.section(&server(), &documents()), built);
    }

    #[test]
    fn a_damaged_or_older_file_is_made_anew() {
        let temp = tempfile::tempdir().unwrap();
        let store = SectionStore::below(temp.path());
        let built = store.section(&server(), &documents());
        let path = only_file(temp.path());
        let whole = std::fs::read(&path).unwrap();
        let changed = |at: usize| {
            let mut changed = whole.clone();
            changed[at] ^= 1;
            changed
        };
        let key = Key::of(&server(), &documents());
        for bad in [
            Vec::new(),
            b"ATSX".to_vec(),
            whole[..whole.len() - 1].to_vec(),
            [&whole[..], b"x"].concat(),
            changed(0),
            changed(4),
            changed(8),
            changed(40),
            changed(whole.len() - 1),
        ] {
            std::fs::write(&path, &bad).unwrap();
            assert_eq!(read(&path, key, 3), None);
            assert_eq!(store.section(&server(), &documents()), built);
            assert_eq!(std::fs::read(&path).unwrap(), whole, "it is written again");
        }
    }

    /// Someone who can write a checksum can write anything else too.
    #[test]
    fn whatever_is_in_a_file_nothing_panics() {
        let key = Key::of(&server(), &documents());
        let whole = bytes(&Section::build(&server(), &documents()), key);
        let temp = tempfile::tempdir().unwrap();
        let path = temp.path().join("x");
        for at in 72..whole.len() {
            for flip in [1, 0x80, 0xff] {
                let mut bad = whole.clone();
                bad[at] ^= flip;
                let checksum = Sha256::digest(&bad[40..]);
                bad[8..40].copy_from_slice(&checksum);
                std::fs::write(&path, &bad).unwrap();
                if let Some(section) = read(&path, key, 3) {
                    let index = super::super::SearchIndex::new(vec![section.into()]);
                    index.search("create issue añadir something", 3);
                    index.explain("create issue", 0, 2);
                }
            }
        }
    }

    #[test]
    fn other_texts_are_other_sections() {
        let key = Key::of(&server(), &documents());
        let mut more = documents();
        more[0].parameters.push("a".into());
        let mut moved = documents();
        moved[0].parameter_texts.push("a".into());
        let named = Server::default();
        for other in [
            Key::of(&server(), &more),
            Key::of(&server(), &moved),
            Key::of(&named, &documents()),
        ] {
            assert_ne!(other, key);
        }
        assert_ne!(Key::of(&server(), &more), Key::of(&server(), &moved));
    }

    #[cfg(unix)]
    #[test]
    fn only_the_user_may_read_it() {
        use std::os::unix::fs::PermissionsExt;
        let temp = tempfile::tempdir().unwrap();
        SectionStore::below(temp.path()).section(&server(), &documents());
        let mode = only_file(temp.path())
            .metadata()
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
    }

    #[test]
    fn a_folder_that_cannot_be_made_harms_nothing() {
        let temp = tempfile::tempdir().unwrap();
        let taken = temp.path().join("file");
        std::fs::write(&taken, "").unwrap();
        let section = SectionStore::below(&taken).section(&server(), &documents());
        assert_eq!(section.len(), 3);
    }
}
